import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, test } from 'vitest'
import Markdown from '../../../console/components/markdown.tsx'
import { isSafeImage } from '../../../console/components/markdown-image.ts'
import * as en from '../../../console/locales/en.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { translation: en } } })

const rendered = (text: string, foreign = false) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <Markdown text={text} untrusted={foreign} />
    </I18nextProvider>,
  )

describe('Markdown', () => {
  test('shows tables, task lists and the HTML that people write', () => {
    expect(rendered('| a | b |\n| - | - |\n| 1 | 2 |')).toContain('<td>1</td>')
    expect(rendered('- [x] a\n- [ ] b').match(/<input[^>]*>/g)).toEqual([
      expect.stringMatching(/disabled="".*aria-label="Done" checked=""/),
      expect.stringMatching(/disabled="" aria-label="Not done"/),
    ])
    expect(rendered('<p align="center"><b>Hello</b></p>')).toContain('<p align="center"><b>Hello</b></p>')
  })

  test('colors code by its language', () => {
    const html = rendered('```js\nconst a = 1\n```')
    expect(html).toContain('language-js')
    expect(html).toContain('<span class="hljs-keyword">const</span>')
  })

  test("loads pictures of other sites from an operator's text, and of any other text only after a click", () => {
    const text =
      '![a cat](https://evil.example/c.png?who=me) <img src="https://evil.example/d.png"> ![e](data:image/png;base64,AA==)'
    expect(rendered(text).match(/<img[^>]*src="https:/g)).toHaveLength(2)
    const html = rendered(text, true)
    expect(html.match(/<img[^>]*>/g)).toEqual([expect.stringContaining('src="data:image/png;base64,AA=="')])
    expect(html.match(/Load image from evil\.example/g)).toHaveLength(2)
    expect(html).toContain('a cat')
  })

  test('has a labeled button for each code block', () => {
    expect(rendered('```\na\n```\n\n`b`').match(/<button[^>]*aria-label="Copy code"/g)).toHaveLength(1)
  })

  test('opens external links in a new tab without access to this one, and internal links in place', () => {
    expect(rendered('[a](https://example.org)')).toContain(
      '<a href="https://example.org" target="_blank" rel="noopener noreferrer">a</a>',
    )
    expect(
      rendered('a[^1]\n\n[^1]: b')
        .match(/<a [^>]*href="#[^>]*>/g)
        ?.join(),
    ).not.toContain('_blank')
  })

  test('links between places of one text, never into a text beside it', () => {
    const text = 'a[^1] and [below](#end)\n\n[^1]: b\n\n<b id="end">c</b>'
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <Markdown text={text} />
        <Markdown text={text} />
      </I18nextProvider>,
    )
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    const led = [...html.matchAll(/ (?:href="#|aria-describedby=")([^"]*)"/g)].map(([, id]) => id)

    expect(led).toHaveLength(8)
    expect(ids).toEqual(expect.arrayContaining(led))
    expect(new Set(ids).size).toBe(ids.length)
    expect(html).toContain('aria-label="Back to reference 1"')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '[x](javascript:alert(1))',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:alert(1))',
    '<iframe src="https://evil.example"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="https://evil.example"></object><embed src="https://evil.example">',
    '<form action="https://evil.example"><input name="password"><button>Go</button></form>',
    '<style>body { display: none }</style>',
    '<p style="position:fixed;inset:0" class="arco-modal" id="root" onclick="alert(1)" tabindex="1" accesskey="x">x</p>',
    '<link rel="stylesheet" href="https://evil.example"><meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<base href="https://evil.example">',
    '<video src="https://evil.example" onerror="alert(1)"></video>',
    '<img srcset="https://evil.example 2x" src="javascript:alert(1)">',
    '<code class="language-js arco-modal">x</code>',
    '<a href="https://example.org" target="_self" rel="opener">x</a>',
    '<template><script>alert(1)</script></template>',
    '```html\n<script>alert(1)</script>\n```',
  ])('runs no scripts and reaches nothing outside: %s', (text) => {
    const elements =
      rendered(text)
        .match(/<[^/][^>]*>/g)
        ?.join('\n') ?? ''

    expect(elements).not.toMatch(/<(script|iframe|object|embed|form|style|link|meta|base|svg|math|video|template)\b/i)
    expect(elements).not.toMatch(/\s(on\w+|style|srcdoc|srcset|action|accesskey|name)=/i)
    expect(elements).not.toMatch(/javascript:|vbscript:|data:text|evil\.example|arco-modal|"root"|_self|"opener"/i)
    expect(elements).not.toMatch(/<button(?![^>]*code-block-copy)/)
  })
})

describe('an image', () => {
  const page = 'https://gateway.example/about'

  test.each(['https://example.org/a', '/logo.png', 'data:image/png;base64,AAAA'])('is loaded: %s', (src) => {
    expect(isSafeImage(src, page)).toBe(true)
  })

  test.each([
    '/api/user/logout',
    'https://gateway.example/api/user/token',
    '/api/x.png',
    '../api/user/logout?a.png',
    'data:text/html,x',
    'blob:https://gateway.example/1',
    'https://',
  ])('that could act as the reader, or is invalid, is not loaded: %s', (src) => {
    expect(isSafeImage(src, page)).toBe(false)
  })
})
