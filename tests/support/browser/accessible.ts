import { source as AXE, type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Theme = 'light' | 'dark'

export interface AccessibleOptions {
  /** A CSS selector: only this part of the page. */
  include?: string
  /** In which themes, one after the other; as the page stands when absent. */
  themes?: readonly Theme[]
}

export const BOTH_THEMES = ['light', 'dark'] as const satisfies readonly Theme[]

/** Fails when axe finds anything serious or critical on the page as it stands. */
export async function expectAccessible(page: Page, { include, themes = [] }: AccessibleOptions = {}): Promise<void> {
  const before = await page.locator('body').getAttribute('arco-theme')
  const found: string[] = []
  for (const [place, theme] of (themes.length > 0 ? themes : [undefined]).entries()) {
    if (theme) await paint(page, theme)
    // Themes differ in their colours, and in nothing else.
    const violations = await violationsOf(page, { include, coloursAlone: place > 0 })
    found.push(...violations.map((violation) => (theme ? `${theme}: ${violation}` : violation)))
  }
  if (themes.length > 0 && before) await paint(page, before)
  if (found.length > 0) throw new Error(`Not accessible: ${page.url()}\n${found.join('\n')}`)
}

/** Arco reads all its colours from this attribute, so that no page has to be loaded again. */
async function paint(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (name) => {
    document.body.setAttribute('arco-theme', name)
    // Colours that are still on their way are those of neither theme; one that is inherited sets out when its parent's arrives.
    for (let round = 0; round < 3; round++) {
      await new Promise(requestAnimationFrame)
      for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
    }
  }, theme)
}

async function violationsOf(
  page: Page,
  { include, coloursAlone }: { include: string | undefined; coloursAlone: boolean },
): Promise<string[]> {
  // To load axe takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(runAxe, {
    include,
    options: { resultTypes: ['violations'], ...(coloursAlone && { runOnly: ['color-contrast'] }) } satisfies RunOptions,
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, html, failureSummary }) =>
        [`${id} (${help})`, target.join(' '), html, failureSummary].join('\n    '),
      ),
    )
}

/** Runs in the browser. */
async function runAxe({ include, options }: { include: string | undefined; options: RunOptions }): Promise<Result[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(include ?? document, options)
  return violations
}
