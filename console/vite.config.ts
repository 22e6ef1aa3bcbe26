import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { arcoIcons, arcoStyles, leftToRightOnly, replaceModules, smallIcons } from './vite-arco.ts'

/** Writes a compressed copy next to each file, so that the gateway need not compress on the fly. */
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

/** Excludes text modules, which load by language, and for the login page only in part. */
const isNoText = (id: string): boolean => !id.includes('/console/locales/')

/** Small modules that nearly every screen needs; none of them imports forms or calendars. */
const isOfLists = (id: string): boolean =>
  /\/es\/(Select|Switch)\/index\.js|\/console\/api\/|\/console\/components\/data-table\//.test(id) ||
  /\/console\/components\/(amounts|base-address|confirm|copy|count|date-time|empty-state|filter-bar|group-ratio)\./.test(
    id,
  ) ||
  /\/console\/components\/(load-failure|log-type|long-page-skeleton|opened|page|paging|quota|refresh|saving|status-tag|times)\./.test(
    id,
  )
/** Modules for forms, loaded by drawers and dialogs. */
const isOfForms = (id: string): boolean => /\/es\/(Form|InputNumber)\/index\.js|\/console\/components\/form\//.test(id)
/** Arco's texts in its second language, needed before login. */
const isOfArcoTexts = (id: string): boolean => /\/es\/locale\/en-US\.js/.test(id)
/** Modules that tables, calendars and forms share: in a file of theirs, none of the three loads another. */
const isOfParts = (id: string): boolean => /\/lodash\/merge\.js|\/b-tween\/|\/hooks\/useUpdate\.js/.test(id)
const isOfDialogs = (id: string): boolean => /\/es\/(Modal|Drawer)\/index\.js/.test(id)
const isOfDates = (id: string): boolean => /\/es\/DatePicker\/index\.js/.test(id)

/**
 * Names the chunk of all modules needed before the login page renders: one file, instead of one for each set of screens
 * that share a module.
 */
function firstNeeded(): (id: string, modules: Modules) => string | null {
  const needed = new Set<string>()
  return (id, modules) => {
    if (needed.size === 0) {
      for (const first of FIRST) add(first)
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
  getModuleInfo(id: string): { importedIds: string[] } | null
}

const EXPECTED: ReadonlySet<string> = new Set([
  // A marker for server-side React, which is not used here.
  'MODULE_LEVEL_DIRECTIVE',
  // A module may be static in one screen and loaded on demand in another.
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
    // kB. The modules of every page are one file.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Plugin timings are of no use when installing.
      checks: { pluginTimings: false },
      output: {
        // A screen and its texts have the same chunk name.
        chunkFileNames: ({ name, moduleIds }) =>
          `assets/${moduleIds.some(isNoText) || /^(en|zh)/.test(name) ? '' : 'texts-'}[name]-[hash].js`,
        codeSplitting: {
          groups: [
            { name: firstNeeded(), debugName: 'first', priority: 7 },
            { name: 'arco-texts', test: isOfArcoTexts, priority: 6 },
            { name: 'lists', test: isOfLists, priority: 5 },
            { name: 'parts', test: isOfParts, priority: 4 },
            { name: 'dialogs', test: isOfDialogs, priority: 3 },
            { name: 'forms', test: isOfForms, priority: 2 },
            { name: 'dates', test: isOfDates, priority: 1 },
            // Grouped by the screens that share them, and never merged: a merged file would load forms and dates with every list.
            { name: 'shared', test: isNoText, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 0 },
          ],
        },
      },
      onLog: (level, log, report) => EXPECTED.has(log.code ?? '') || report(level, log),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
