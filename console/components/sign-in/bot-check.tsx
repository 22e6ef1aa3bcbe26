import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { useStore } from '../../store.ts'
import { theme } from '../../theme.ts'

export interface BotCheckState {
  /** Returns false and shows a toast if a required check has not passed. Must be called before `run`. */
  passed: () => boolean
  /**
   * Sends a request with the token of the check, which is undefined if no check has passed. Then starts the next check,
   * because a token is valid for one request.
   */
  run: <Result>(send: (token: string | undefined) => Promise<Result>) => Promise<Result>
  /** Only for `<BotCheck>`, like `reset`. */
  setToken: (token: string | undefined) => void
  reset: RefObject<() => void>
}

/** Returns the state of a form's bot check, which `<BotCheck>` renders if the platform requires one. */
export function useBotCheck(): BotCheckState {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [token, setToken] = useState<string>()
  const reset = useRef<() => void>(() => undefined)
  return {
    passed() {
      if (!status?.turnstile_check || token) return true
      Message.info(t('account.botCheckRuns'))
      return false
    },
    async run(send) {
      try {
        return await send(token)
      } finally {
        setToken(undefined)
        reset.current()
      }
    },
    setToken,
    reset,
  }
}

/** Renders nothing, and loads no external script, unless the platform requires a check. */
export function BotCheck({ check }: { check: BotCheckState }) {
  const { data: status } = useStatus()
  if (!status?.turnstile_check) return null
  return <Widget check={check} siteKey={status.turnstile_site_key} script={status.turnstile_script_url} />
}

function Widget({ check, siteKey, script }: { check: BotCheckState; siteKey: string; script: string }) {
  const { t, i18n } = useTranslation()
  const currentTheme = useStore(theme)
  const holder = useRef<HTMLDivElement>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const { setToken, reset } = check

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads the script again
  useEffect(() => {
    let unmounted = false
    let remove = () => {}
    setHasFailed(false)
    loadTurnstile(script).then(
      (turnstile) => {
        if (unmounted || !holder.current) return
        const widget = turnstile.render(holder.current, {
          sitekey: siteKey,
          theme: currentTheme,
          language: i18n.language,
          size: 'flexible',
          callback: (token) => {
            setToken(token)
            setHasFailed(false) // after an error, Turnstile retries by itself
          },
          'expired-callback': () => setToken(undefined),
          'error-callback': () => {
            setToken(undefined)
            setHasFailed(true)
            return true // handled: Turnstile need not log the error
          },
        })
        reset.current = () => turnstile.reset(widget)
        remove = () => turnstile.remove(widget)
      },
      () => !unmounted && setHasFailed(true),
    )
    return () => {
      unmounted = true
      reset.current = () => undefined
      remove()
    }
  }, [script, siteKey, currentTheme, i18n.language, setToken, reset, attempt])

  return (
    <div className="bot-check">
      <div ref={holder} />
      {hasFailed && (
        <Alert
          type="error"
          content={t('account.botCheckFailed')}
          action={
            <Button size="mini" onClick={() => setAttempt(attempt + 1)}>
              {t('table.retry')}
            </Button>
          }
        />
      )}
    </div>
  )
}

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
function loadTurnstile(address: string): Promise<Turnstile> {
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
