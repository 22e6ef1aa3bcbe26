/** The used part of the API in https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/. */
interface Turnstile {
  render(
    holder: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      language: string
      size: 'flexible'
      callback: (token: string) => void
      'expired-callback': () => void
      'error-callback': () => boolean
    },
  ): string
  reset(widget: string): void
  remove(widget: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

let loading: Promise<Turnstile> | undefined

/** Loads Turnstile's script once. Rejects if loading fails; the next call then loads the script again. */
export function loadTurnstile(address: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${address}?render=explicit`
    script.async = true
    script.onload = () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error('No bot check in its script'))
    script.onerror = () => reject(new Error('The script of the bot check cannot be loaded'))
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
