"""Finds the components of installed packages once in a process and in those forked from it. Streamlit reads the metadata of all
packages for each app, which takes 0.35 s of processor time."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
