import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Status, useStatus } from '../api/status.ts'
import { FittedFrame } from '../components/fitted-frame.tsx'
import { readStatusText } from '../storage.ts'
import { useStore } from '../store.ts'
import { type Theme, theme } from '../theme.ts'

export function Footer() {
  const { data: status } = useStatus()
  const storedFooter = useStoredFooter(status === undefined)
  const html = status?.footer_html ?? storedFooter
  return <footer className="footer">{html ? <CustomFooter html={html} /> : <ProductLine status={status} />}</footer>
}

const POLLS = 5
const POLL_MS = 200

/** Returns this browser's stored footer, else an empty text. Polls for a second, because another tab may store it. */
function useStoredFooter(waiting: boolean): string {
  const [html, setHtml] = useState('')
  useEffect(() => {
    if (!waiting) return
    let polls = 0
    const timer = setInterval(() => {
      const storedHtml = readStatusText('footer_html')
      polls += 1
      if (storedHtml || polls === POLLS) clearInterval(timer)
      setHtml(storedHtml)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [waiting])
  return html
}

/** The console's edition, which is not the version number of the gateway. */
const EDITION = '0.4.7.2.1'

function ProductLine({ status }: { status: Status | undefined }) {
  const { t } = useTranslation()
  return (
    <span>
      {status?.system_name || 'Tollgate'} {EDITION}
      {status && ` · ${t('layout.gateway', { version: status.version })}`}
    </span>
  )
}

export function CustomFooter({ html }: { html: string }) {
  const { t } = useTranslation()
  const currentTheme = useStore(theme)
  return <FittedFrame className="footer-frame" title={t('layout.footer')} html={footerDocument(html, currentTheme)} />
}

const COLORS: Record<Theme, { text: string; link: string }> = {
  light: { text: '#4e5969', link: '#165dff' },
  dark: { text: 'rgba(255, 255, 255, 0.7)', link: '#6aa1ff' },
}

// The color scheme must be that of the page. Otherwise the browser makes the background of the frame opaque.
function footerDocument(html: string, theme: Theme): string {
  const { text, link } = COLORS[theme]
  return `<base target="_blank"><style>
html { color-scheme: ${theme}; font: 13px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; color: ${text}; text-align: center }
body { margin: 12px 16px } a { color: ${link} } img { max-width: 100% }
</style>${html}`
}
