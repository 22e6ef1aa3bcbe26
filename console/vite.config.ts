import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/**
 * Brings each Arco component's style sheet along with the component, before the module's own: a page imports `es/Button` and
 * nothing else, only the styles that a page needs are loaded with it, and no page can forget one.
 */
function arcoStyles(): Plugin {
  return {
    name: 'arco-styles',
    transform: {
      filter: { id: /\.tsx$/, code: /@arco-design\/web-react\/es\/[A-Z]/ },
      handler(code) {
        const found = code.matchAll(/@arco-design\/web-react\/es\/([A-Z]\w+)/g)
        const names = new Set(Array.from(found, (match) => match[1]))
        const imports = Array.from(names, (name) => `import '@arco-design/web-react/es/${name}/style/css.js'`)
        return { code: `${imports.join('\n')}\n${code}`, map: null }
      },
    },
  }
}

/** Writes a gzipped copy beside each file, so that the gateway need not compress while it serves. */
function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css|html)$/.test(name))) {
        const file = join(dir, name)
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      }
    },
  }
}

/** Texts come by language, and for the login page only some of them. */
const isNoText = (id: string): boolean => !id.includes('/console/locales/')

/**
 * Names the chunk of all that is there before the login page is: one file, not one for each set of screens that have a
 * module in common.
 */
function firstNeeded(): (id: string, modules: Modules) => string | null {
  const needed = new Set<string>()
  return (id, modules) => {
    if (needed.size === 0) {
      for (const first of FIRST) add(first)
      // In another language than the first, the texts of Arco's components are awaited as well.
      for (const awaited of modules.getModuleInfo(LANGUAGE)?.dynamicallyImportedIds ?? []) {
        if (isNoText(awaited)) add(awaited)
      }
    }
    return needed.has(id) ? 'first' : null

    function add(module: string): void {
      if (needed.has(module)) return
      needed.add(module)
      for (const imported of [...(modules.getModuleInfo(module)?.importedIds ?? [])]) add(imported)
    }
  }
}

interface Modules {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

const EXPECTED: ReadonlySet<string> = new Set([
  // Libraries mark their files so for servers that render React; there is none here.
  'MODULE_LEVEL_DIRECTIVE',
  // What one screen always has, another loads when it is asked for.
  'INEFFECTIVE_DYNAMIC_IMPORT',
])

const FIRST = ['main.tsx', 'pages/login/index.tsx'].map((file) => join(import.meta.dirname, file))
const LANGUAGE = join(import.meta.dirname, 'language.ts')

export default defineConfig({
  base: '/',
  plugins: [arcoStyles(), compressedCopies()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The polyfill is an extra script; every browser that runs this bundle knows modulepreload.
    modulePreload: { polyfill: false },
    // kB. The charts are one library that cannot be cut smaller; the dashboard alone loads it.
    chunkSizeWarningLimit: 1400,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: firstNeeded(), debugName: 'first', priority: 1 },
            { name: 'shared', test: isNoText, minShareCount: 2 },
          ],
        },
      },
      onLog: (level, log, report) => EXPECTED.has(log.code ?? '') || report(level, log),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
