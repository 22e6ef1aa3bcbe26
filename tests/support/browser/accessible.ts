import { source as AXE, type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Theme = 'light' | 'dark'

export interface AccessibleOptions {
  /** CSS selector of the part to check. */
  include?: string
  /** The themes to check, in order; default: the current one. */
  themes?: readonly Theme[]
}

export const BOTH_THEMES = ['light', 'dark'] as const satisfies readonly Theme[]

/** Throws if axe finds a serious or critical problem on the current page. */
export async function expectAccessible(page: Page, { include, themes = [] }: AccessibleOptions = {}): Promise<void> {
  const before = await page.locator('body').getAttribute('arco-theme')
  const problems: string[] = []
  for (const [place, theme] of (themes.length > 0 ? themes : [undefined]).entries()) {
    if (theme) await paint(page, theme)
    // Themes differ only in their colors.
    const violations = await violationsOf(page, { include, coloursAlone: place > 0 })
    problems.push(...violations.map((violation) => (theme ? `${theme}: ${violation}` : violation)))
  }
  if (themes.length > 0 && before) await paint(page, before)
  if (problems.length > 0) throw new Error(`Not accessible: ${page.url()}\n${problems.join('\n')}`)
}

/** Sets the attribute from which Arco reads its colors, to avoid a page load. */
async function paint(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (name) => {
    document.body.setAttribute('arco-theme', name)
    // Finish color transitions, because mixed colors belong to neither theme. Several rounds are necessary, because
    // inherited transitions start when those of the parent end.
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
  await page.waitForFunction(isStill)
  // Loading axe takes as long as running it.
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

/**
 * Whether no element opens or closes, because axe would measure mixed colors of a drawer that fades. Runs in the
 * browser. The classes are those that react-transition-group sets during a transition.
 */
function isStill(): boolean {
  const hasEnd = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
  const isRunning = (animation: Animation) => animation.playState === 'running' && hasEnd(animation)
  const fading = /-(enter|appear|exit)(-active)?(?= |$)/
  const faders = document.querySelectorAll('[class*="-enter"], [class*="-appear"], [class*="-exit"]')
  return !document.getAnimations().some(isRunning) && ![...faders].some(({ className }) => fading.test(className))
}

/** Runs in the browser. */
async function runAxe({ include, options }: { include: string | undefined; options: RunOptions }): Promise<Result[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(include ?? document, options)
  return violations
}
