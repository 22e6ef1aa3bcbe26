import { useTranslation } from 'react-i18next'
import { type Status, useStatus } from '../api/status.ts'
import { useStore } from '../store.ts'
import { type Theme, theme } from '../theme.ts'

export function Footer() {
  const { data: status } = useStatus()
  return (
    <footer className="footer">
      {status?.footer_html ? <CustomFooter html={status.footer_html} /> : <ProductLine status={status} />}
    </footer>
  )
}

function ProductLine({ status }: { status: Status | undefined }) {
  return <span>{['Tollgate', status?.version].filter(Boolean).join(' ')}</span>
}

/**
 * The operator's own HTML, in a frame without scripts and without our origin: whatever stands in it, it cannot act as
 * the person who reads it. Its links open in new tabs.
 */
function CustomFooter({ html }: { html: string }) {
  const { t } = useTranslation()
  const shown = useStore(theme)
  return (
    <iframe
      className="footer-frame"
      title={t('footer.title')}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={footerDocument(html, shown)}
    />
  )
}

const COLOURS: Record<Theme, { text: string; link: string }> = {
  light: { text: '#4e5969', link: '#165dff' },
  dark: { text: 'rgba(255, 255, 255, 0.7)', link: '#6aa1ff' },
}

// The colour scheme must be the page's own, else the browser gives the frame an opaque canvas.
function footerDocument(html: string, shown: Theme): string {
  const { text, link } = COLOURS[shown]
  return `<!doctype html><base target="_blank"><style>
html { color-scheme: ${shown}; font: 13px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; color: ${text}; text-align: center }
body { margin: 12px 16px } a { color: ${link} } img { max-width: 100% }
</style>${html}`
}
