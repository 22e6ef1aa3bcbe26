import { join } from 'node:path'
import type { Plugin as CssPlugin } from 'postcss'
import type { Plugin } from 'vite'

/* Build plugins for Arco Design, so that pages load only the parts they show. */

/**
 * Imports each Arco component's style sheet with the component, before the module's own: a page imports only `es/Button`,
 * loads only the styles it needs, and cannot omit one.
 */
export function arcoStyles(): Plugin {
  return {
    name: 'arco-styles',
    transform: {
      filter: { id: /\.tsx$/, code: /@arco-design\/web-react\/es\/[A-Z]/ },
      handler(code) {
        const matches = code.matchAll(/@arco-design\/web-react\/es\/([A-Z]\w+)/g)
        const names = new Set(Array.from(matches, (match) => match[1]))
        const imports = Array.from(names, (name) => `import '@arco-design/web-react/es/${name}/style/css.js'`)
        return { code: `${imports.join('\n')}\n${code}`, map: null }
      },
    },
  }
}

/** Imports icons individually: the index of icons would put the icons of every screen into the first file. */
export function arcoIcons(): Plugin {
  return {
    name: 'arco-icons',
    transform: {
      filter: { id: /\.tsx?$/, code: /@arco-design\/web-react\/icon'/ },
      handler(code) {
        const imports = /import \{([^}]+)\} from '@arco-design\/web-react\/icon'/g
        return { code: code.replace(imports, (_, names: string) => iconImports(names)), map: null }
      },
    },
  }
}

const iconImports = (names: string): string =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => `import ${name} from '@arco-design/web-react/icon/react-icon/${name}/index.js'`)
    .join(';')

/** An icon in Arco's package: thirty lines of boilerplate around a name, attributes and shapes. */
const ICON =
  /function (Icon\w+)Component\(iconProps, ref\) \{[\s\S]*?"-icon-([\w-]+)"\)[\s\S]*?createElement\("svg", _extends\((\{[\s\S]*?\}), props\), ([\s\S]*?)\);\n\}\n/

/** Creates icons with one function. Arco's code is seven times as large and runs at page start. */
export function smallIcons(): Plugin {
  return {
    name: 'small-icons',
    transform: {
      filter: { id: /\/icon\/react-icon\/Icon\w+\/index\.js$/ },
      handler(code) {
        const [, name, className, attributes, paths] = ICON.exec(code) ?? []
        if (name === undefined) return null
        return {
          code: `import React from 'react'
import { svgIcon } from ${JSON.stringify(SVG_ICON)}
export default /*#__PURE__*/ svgIcon('${name}', '${className}', ${attributes}, ${paths})`,
          map: null,
        }
      },
    },
  }
}

const SVG_ICON = join(import.meta.dirname, 'svg-icon.ts')

/** Arco modules with smaller replacements, by the importing module. */
const REPLACEMENTS: readonly { id: string; importer: RegExp; code: string }[] = [
  {
    // A menu reads its width from the surrounding layout. The console has none, and its code would include resizing.
    id: '../Layout',
    importer: /\/es\/Menu\//,
    code: `import { createContext } from 'react'
export const SiderContext = createContext({ siderCollapsed: false, collapsedWidth: 64 })`,
  },
  {
    // All supported browsers have it built in.
    id: 'resize-observer-polyfill',
    importer: /\/es\//,
    code: 'export default globalThis.ResizeObserver',
  },
]
const REPLACEMENT_PREFIX = '\0stand-in:'

/** Replaces Arco modules that the console does not need. */
export function replaceModules(): Plugin {
  return {
    name: 'stand-ins',
    enforce: 'pre',
    resolveId(id, importer = '') {
      const place = REPLACEMENTS.findIndex(
        (replacement) => replacement.id === id && replacement.importer.test(importer),
      )
      return place < 0 ? null : `${REPLACEMENT_PREFIX}${place}`
    },
    load(id) {
      return id.startsWith(REPLACEMENT_PREFIX) ? REPLACEMENTS[Number(id.slice(REPLACEMENT_PREFIX.length))]?.code : null
    },
  }
}

/** Removes right-to-left rules: the console has no right-to-left language. */
export function leftToRightOnly(): CssPlugin {
  return {
    postcssPlugin: 'left-to-right-only',
    Rule(rule) {
      const selectors = rule.selectors.filter((selector) => !selector.includes('-rtl'))
      if (selectors.length === 0) rule.remove()
      else if (selectors.length < rule.selectors.length) rule.selectors = selectors
    },
  }
}
