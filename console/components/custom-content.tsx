import Skeleton from '@arco-design/web-react/es/Skeleton'
import { Suspense } from 'react'
import { contentKind, frameSandbox } from './custom-content-kind.ts'
import './custom-content.css'
import { inPlace } from './on-demand.tsx'

const Markdown = inPlace(async () => (await import('./markdown.tsx')).default)

/** Shows the operator's content for a page. The content is isolated, so that it cannot act as the user. */
export function CustomContent({ content, title }: { content: string; title: string }) {
  switch (contentKind(content)) {
    case 'address':
      return <SiteFrame address={content.trim()} title={title} />
    case 'document':
      return <HtmlFrame html={content} title={title} />
    case 'markdown':
      return (
        <Suspense fallback={<Skeleton animation text={{ rows: 6, width: '100%' }} />}>
          <Markdown text={content} />
        </Suspense>
      )
  }
}

function SiteFrame({ address, title }: { address: string; title: string }) {
  return (
    <iframe
      className="custom-content-frame"
      title={title}
      src={address}
      sandbox={frameSandbox(address, location.origin)}
      referrerPolicy="no-referrer"
    />
  )
}

/**
 * Shows the operator's HTML in a frame without scripts and without our origin, so that no content can act as the user.
 * Links with `target="_blank"` open a new tab.
 */
function HtmlFrame({ html, title }: { html: string; title: string }) {
  return (
    <iframe
      className="custom-content-frame"
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={html}
    />
  )
}
