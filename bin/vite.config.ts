import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..')

/**
 * Packages to bundle. Node.js loads them slowly, because they have many small files or one large file. All other
 * packages are loaded from node_modules.
 */
const BUNDLED = withDependencies([
  '@pydantic/genai-prices',
  'commander',
  'i18next',
  'ipaddr.js',
  'jose',
  'knex',
  'music-metadata',
  'typebox',
])

/** Returns the packages and their dependencies. An unbundled dependency could be resolved to another version. */
function withDependencies(names: readonly string[]): ReadonlySet<string> {
  const bundledNames = new Set<string>()
  for (const name of names) add(name, join(ROOT, 'package.json'))
  return bundledNames

  function add(name: string, dependent: string): void {
    const folders = createRequire(dependent).resolve.paths(name) ?? []
    const file = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path))
    if (file === undefined) throw new Error(`${name} is not installed`)
    if (bundledNames.has(name)) return
    bundledNames.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }
    for (const dependency of Object.keys(dependencies)) add(dependency, file)
  }
}

/** Whether a module id names a package. Other ids are paths, or start with a null byte (the bundler's own modules). */
const isPackage = (id: string): boolean => !isAbsolute(id) && !/^[.\0]/.test(id)
const packageOf = (id: string): string => /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id

/** Escapes characters above U+00FF. If a file has one of them, V8 stores the file with two bytes per character. */
const oneByte: Plugin = {
  name: 'one-byte',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escapeOf)
    }
  },
}
const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Bundles the command line and the server into dist/program. Node.js takes half a millisecond to find and read a
 * module, and without the bundle a command would load 760 modules. tests/cli/start-up.test.ts counts the modules that
 * commands load.
 */
export default defineConfig({
  plugins: [oneByte],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20.19',
    outDir: '../dist/program',
    emptyOutDir: true,
    sourcemap: true,
    // The bundled packages' licenses require their text to be included.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      external: (id) => isPackage(id) && !BUNDLED.has(packageOf(id)),
      input: {
        main: join(ROOT, 'cli/main.ts'),
        // The server starts this worker by file name, from the folder of its own file.
        'tokenizer-worker': join(ROOT, 'server/relay/counting/tokenizer-worker.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        sourcemapExcludeSources: true,
        comments: { jsdoc: false },
      },
    },
  },
})
