import type { BrowserContext } from 'playwright-core'

/** Ends every animation of a page at once: nobody watches, and a test would wait for each. */
export async function keepStill(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // Not quite at zero, since what waits for the end of one would then never hear of it. A sheet that a script adopts needs
    // no leave by the content policy.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`*, *::before, *::after {
      transition-duration: 1ms !important; transition-delay: 0s !important;
      animation-duration: 1ms !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
      scroll-behavior: auto !important; caret-color: transparent !important;
    }`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    // Arco's dialogs and popups wait by the clock for 200 to 400 ms. What react-transition-group calls then can be cancelled
    // by a property of the function; no other timer of the console has that.
    const { setTimeout } = window
    const hurried = (handler: TimerHandler, ms?: number, ...values: unknown[]) =>
      setTimeout(handler, typeof handler === 'function' && 'cancel' in handler ? 1 : ms, ...values)
    window.setTimeout = Object.assign(hurried, setTimeout)
  })
}
