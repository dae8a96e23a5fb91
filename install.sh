#!/bin/sh
# Install requirement files into a virtual environment with uv: ./install.sh .venv requirements.txt [MORE.txt...]
# pip puts uv into the environment, so the machine needs Python alone. pip's settings (find-links, indexes, certificate) hold for uv
# too. torch comes as its CPU build where there is no accelerator, and as the CUDA build that fits where there is one.
set -eu
venv=$1
shift
python=${PYTHON:-python3}
started=$(date +%s)
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
# A service runs as an account of its own, which docs/how-to/deploy.md calls benchwright; root's Python may be in a home folder.
if [ "$(id -u)" = 0 ] && id benchwright >/dev/null 2>&1; then
    home=$("$venv/bin/python" -c 'import sys; print(sys.base_prefix)')
    case $home in /home/* | /root/*) is_hidden=yes ;; *) is_hidden= ;; esac # systemd hides these folders from the service
    if [ -n "$is_hidden" ] || ! runuser -u benchwright -- "$(readlink -f "$venv/bin/python")" -c '' 2>/dev/null; then
        echo "The account benchwright cannot run the Python in $home: delete $venv, and set PYTHON=/usr/bin/python3." >&2
        exit 1
    fi
fi
[ -x "$venv/bin/uv" ] || "$venv/bin/python" -m pip install -qq --disable-pip-version-check uv==0.13.9

pip_settings=$("$venv/bin/python" -m pip config list)
setting() { # NAME: pip's setting, from the environment before any file
    for origin in ':env:' install global; do
        value=$(printf '%s\n' "$pip_settings" | sed -n "s/^$origin\.$1='\(.*\)'\$/\1/p" | head -n 1 | sed 's/\\n/ /g')
        [ -z "$value" ] || break
    done
    printf '%s' "$value"
}
carry() { # VARIABLE VALUE: set a variable of uv's that is not set yet
    [ -z "$2" ] || eval "export $1=\${$1:-\$2}"
}
carry UV_FIND_LINKS "$(setting find-links | tr -s ' ' ',')"
carry UV_DEFAULT_INDEX "$(setting index-url)"
carry UV_INDEX "$(setting extra-index-url)"
carry SSL_CERT_FILE "$(setting cert)"
export UV_INDEX_STRATEGY="${UV_INDEX_STRATEGY:-unsafe-best-match}" # as pip does: the best version of all indexes

files=
for file in "$@"; do files="$files --requirements $file"; done
# shellcheck disable=SC2086 # $files and $options are lists of words
plan() { "$venv/bin/uv" pip install --python "$venv/bin/python" $options $files --dry-run 2>&1; }

options='--torch-backend auto'
if ! planned=$(plan); then
    printf '%s\n' "$planned" | grep -q download.pytorch.org || { printf '%s\n' "$planned" >&2; exit 1; }
    options=
    planned=$(plan) || { printf '%s\n' "$planned" >&2; exit 1; }
    case $planned in
        *'+ nvidia-'*) echo "PyTorch's own index cannot be reached. The plain index brings torch with CUDA, about 4 GB more than the CPU build." ;;
        *'+ torch=='*) echo "PyTorch's own index cannot be reached. The plain index has a build of torch without CUDA, which is used." ;;
    esac
fi

count=$(printf '%s\n' "$planned" | grep -c '^ + ' || true)
[ "$count" != 0 ] || { echo "Every package of $* is in $venv already."; exit 0; }
case $planned in
    *'+ nvidia-'*) size=', about 6 GB' ;;
    *'+ torch=='*) size=', about 1.8 GB' ;;
    *) size= ;;
esac
[ "$count" = 1 ] && packages='1 package' || packages="$count packages"
echo "Installing $packages into $venv$size..."
[ -t 2 ] || options="$options --quiet" # progress bars are for terminals
# shellcheck disable=SC2086
"$venv/bin/uv" pip install --python "$venv/bin/python" $options $files
# jieba and nlpaug hold escape sequences of which newer Pythons warn at the first start, unless they are compiled before.
packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
for package in jieba nlpaug; do
    [ ! -d "$packages/$package" ] || "$venv/bin/python" -W ignore -m compileall -qq "$packages/$package" || true
done
echo "Installed in $(($(date +%s) - started)) seconds; $venv takes $(du -sh "$venv" | cut -f 1)."
