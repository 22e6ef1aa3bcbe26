import { join } from 'node:path'
import type { Plugin as CssPlugin } from 'postcss'
import type { Plugin } from 'vite'

/* Build plugins for Arco Design, so that pages load only the parts they show. */

/**
 * For each Arco component that a module imports, adds an import of the component's style sheet. The module's own style
 * sheets come later. Modules import only components, and pages load exactly the style sheets that they need.
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

/** Imports each icon from its own file. The index of icons would put the icons of all screens into the first file. */
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

/** Matches an icon's source in Arco's package: 30 lines of boilerplate around a name, attributes and shapes. */
const ICON =
  /function (Icon\w+)Component\(iconProps, ref\) \{[\s\S]*?"-icon-([\w-]+)"\)[\s\S]*?createElement\("svg", _extends\((\{[\s\S]*?\}), props\), ([\s\S]*?)\);\n\}\n/

/** Replaces each icon by a call of `svgIcon`. Arco's code is seven times as large and runs at page start. */
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

/** Modules to replace by smaller code, if the importing module matches `importer`. */
const REPLACEMENTS: readonly { id: string; importer: RegExp; code: string }[] = [
  {
    // A menu reads its width from a surrounding Arco layout. The console has no such layout, whose code includes
    // resizing.
    id: '../Layout',
    importer: /\/es\/Menu\//,
    code: `import { createContext } from 'react'
export const SiderContext = createContext({ siderCollapsed: false, collapsedWidth: 64 })`,
  },
  {
    // All supported browsers have a built-in ResizeObserver.
    id: 'resize-observer-polyfill',
    importer: /\/es\//,
    code: 'export default globalThis.ResizeObserver',
  },
]
const REPLACEMENT_PREFIX = '\0stand-in:'

/** Replaces the modules listed in REPLACEMENTS. */
export function replaceModules(): Plugin {
  return {
    name: 'stand-ins',
    enforce: 'pre',
    resolveId(id, importer = '') {
      const replacementIndex = REPLACEMENTS.findIndex(
        (replacement) => replacement.id === id && replacement.importer.test(importer),
      )
      return replacementIndex < 0 ? null : `${REPLACEMENT_PREFIX}${replacementIndex}`
    },
    load(id) {
      return id.startsWith(REPLACEMENT_PREFIX) ? REPLACEMENTS[Number(id.slice(REPLACEMENT_PREFIX.length))]?.code : null
    },
  }
}

/** Removes CSS rules for right-to-left languages, because the console supports no such language. */
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
