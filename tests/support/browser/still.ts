import type { BrowserContext } from 'playwright-core'

/** Shortens all animations of a page, so that tests do not wait for them. */
export async function keepStill(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // The duration is not zero, because a transition of zero fires no end event. The content policy allows adopted
    // style sheets.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`*, *::before, *::after {
      transition-duration: 1ms !important; transition-delay: 0s !important;
      animation-duration: 1ms !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
      scroll-behavior: auto !important; caret-color: transparent !important;
    }`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    // Arco's dialogs and popups use timers of 200 to 400 ms. Callbacks of react-transition-group have a `cancel` property;
    // no other timer callback of the console does.
    const { setTimeout } = window
    const hurried = (handler: TimerHandler, ms?: number, ...values: unknown[]) =>
      setTimeout(handler, typeof handler === 'function' && 'cancel' in handler ? 1 : ms, ...values)
    window.setTimeout = Object.assign(hurried, setTimeout)
  })
}
