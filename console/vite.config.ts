import { defineConfig, type Plugin } from 'vite'

/**
 * Brings each Arco component's style sheet along with the component: a page imports `es/Button` and nothing else, only
 * the styles that a page needs are loaded with it, and no page can forget one.
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
        return { code: `${code}\n${imports.join('\n')}\n`, map: null }
      },
    },
  }
}

export default defineConfig({
  base: '/',
  plugins: [arcoStyles()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The polyfill is an extra script; every browser that runs this bundle knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark their files "use client" for servers that render React; there is none here.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
