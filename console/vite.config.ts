import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { arcoIcons, arcoStyles, leftToRightOnly, replaceModules, smallIcons } from './vite-arco.ts'

/** Writes gzip and Brotli copies next to each file, so the gateway need not compress replies. */
function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css|html)$/.test(name))) {
        const file = join(dir, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        // The default quality is the highest.
        writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      }
    },
  }
}

/** Returns whether a module is code, not texts. Texts have their own chunks, because each language loads separately. */
const isCode = (id: string): boolean => !id.includes('/console/locales/')

/** Returns whether a module is small and needed by nearly every screen. These modules import no forms or calendars. */
const isListModule = (id: string): boolean =>
  /\/es\/(Select|Switch)\/index\.js|\/console\/api\/|\/console\/components\/data-table\//.test(id) ||
  /\/console\/components\/(amounts|base-address|confirm|copy|count|date-time|empty-state|filter-bar|group-ratio)\./.test(
    id,
  ) ||
  /\/console\/components\/(load-failure|log-type|long-page-skeleton|opened|page|paging|quota|refresh|saving|status-tag|times)\./.test(
    id,
  )
/** Returns whether a module is for forms, which only drawers and dialogs load. */
const isFormModule = (id: string): boolean =>
  /\/es\/(Form|InputNumber)\/index\.js|\/console\/components\/form\//.test(id)
/** Returns whether a module has Arco's English texts, which are also needed before login. */
const isArcoText = (id: string): boolean => /\/es\/locale\/en-US\.js/.test(id)
/** Returns whether a module is shared by tables, calendars and forms. Such modules have their own chunk. */
const isSharedPart = (id: string): boolean => /\/lodash\/merge\.js|\/b-tween\/|\/hooks\/useUpdate\.js/.test(id)
const isDialogModule = (id: string): boolean => /\/es\/(Modal|Drawer)\/index\.js/.test(id)
const isDateModule = (id: string): boolean => /\/es\/DatePicker\/index\.js/.test(id)

/**
 * Returns the function that puts all modules needed by the login page into one chunk. Otherwise, each set of screens
 * that share a module would have its own chunk.
 */
function firstNeeded(): (id: string, modules: Modules) => string | null {
  const neededIds = new Set<string>()
  return (id, modules) => {
    if (neededIds.size === 0) {
      for (const first of FIRST) addModule(first)
    }
    return neededIds.has(id) ? 'first' : null

    function addModule(module: string): void {
      if (neededIds.has(module)) return
      neededIds.add(module)
      for (const imported of modules.getModuleInfo(module)?.importedIds ?? []) addModule(imported)
    }
  }
}

interface Modules {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

const EXPECTED: ReadonlySet<string> = new Set([
  // Dependencies contain directives for server-side React, which the console does not use.
  'MODULE_LEVEL_DIRECTIVE',
  // One screen may import a module statically, and another may load it on demand.
  'INEFFECTIVE_DYNAMIC_IMPORT',
])

const FIRST = ['main.tsx', 'pages/login/index.tsx'].map((file) => join(import.meta.dirname, file))

export default defineConfig({
  base: '/',
  plugins: [arcoStyles(), arcoIcons(), smallIcons(), replaceModules(), compressedCopies()],
  css: { postcss: { plugins: [leftToRightOnly()] } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The polyfill is an extra script; all supported browsers have modulepreload.
    modulePreload: { polyfill: false },
    // Limit in kB. The chunk with the modules that all pages need is larger than the default limit.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Users who install from source do not need plugin timings.
      checks: { pluginTimings: false },
      output: {
        // A screen and its texts can have the same chunk name, so the file names of texts have a prefix.
        chunkFileNames: ({ name, moduleIds }) =>
          `assets/${moduleIds.some(isCode) || /^(en|zh)/.test(name) ? '' : 'texts-'}[name]-[hash].js`,
        codeSplitting: {
          groups: [
            { name: firstNeeded(), debugName: 'first', priority: 7 },
            { name: 'arco-texts', test: isArcoText, priority: 6 },
            { name: 'lists', test: isListModule, priority: 5 },
            { name: 'parts', test: isSharedPart, priority: 4 },
            { name: 'dialogs', test: isDialogModule, priority: 3 },
            { name: 'forms', test: isFormModule, priority: 2 },
            { name: 'dates', test: isDateModule, priority: 1 },
            // One chunk per set of screens that share modules. A merged chunk would load forms and dates with every
            // list.
            { name: 'shared', test: isCode, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 0 },
          ],
        },
      },
      onLog: (level, log, report) => EXPECTED.has(log.code ?? '') || report(level, log),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
