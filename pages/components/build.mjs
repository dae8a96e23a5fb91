// Bundles each component that has an HTML file (NAME/NAME.html, NAME/NAME.js) into built/NAME.js and built/NAME.css.
// With --check it writes nothing: it names the bundles that differ from their sources and exits 1.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = dirname(fileURLToPath(import.meta.url))
const built = join(here, "built")
// Streamlit takes a text of one line for the path of a file
const note = "/* Built by make components from the folders beside this one: edit those. */"
const names = readdirSync(here).filter(name => existsSync(join(here, name, `${name}.html`)))

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: names.map(name => ({ in: join(here, name, `${name}.js`), out: name })),
  outdir: built,
  banner: { js: note, css: note },
  bundle: true,
  format: "esm",
  charset: "utf8",
  legalComments: "none",
  lineLimit: 120,
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
})

const wanted = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]))
const present = existsSync(built) ? readdirSync(built) : []
const stale = [
  ...[...wanted]
    .filter(([name, bytes]) => !present.includes(name) || !readFileSync(join(built, name)).equals(bytes))
    .map(([name]) => name),
  ...present.filter(name => !wanted.has(name)),
]
if (process.argv.includes("--check")) {
  if (stale.length)
    console.error(`pages/components/built differs from its sources: ${stale.join(", ")}. Run make components and commit it.`)
  process.exitCode = stale.length ? 1 : 0
} else {
  mkdirSync(built, { recursive: true })
  for (const [name, bytes] of wanted) writeFileSync(join(built, name), bytes)
  for (const name of present)
    if (!wanted.has(name)) console.error(`${name} is built from a source that no longer exists: delete it.`)
}
