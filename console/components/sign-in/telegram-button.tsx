import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { telegramCallback } from './telegram-state.ts'

const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'

/**
 * Telegram's sign-in button, which Telegram's script inserts. The button redirects to `/oauth/telegram` with signed
 * data. The page `/oauth/telegram` signs the user in, or binds the account to the signed-in user.
 */
export function TelegramButton() {
  const { t, i18n } = useTranslation()
  const { data: status } = useStatus()
  const holder = useRef<HTMLDivElement>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const bot = status?.telegram_bot_name

  useEffect(() => {
    const container = holder.current
    if (!container || !bot) return
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    const attributes = {
      'data-telegram-login': bot,
      'data-size': 'large',
      'data-userpic': 'false',
      'data-auth-url': telegramCallback(),
      'data-lang': i18n.language,
    }
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    script.onerror = () => setHasFailed(true)
    container.replaceChildren(script)
    return () => container.replaceChildren()
  }, [bot, i18n.language])

  return (
    <div className="telegram-button">
      <div ref={holder} />
      {hasFailed && <span role="alert">{t('account.telegramFailed')}</span>}
    </div>
  )
}
