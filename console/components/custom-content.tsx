import Skeleton from '@arco-design/web-react/es/Skeleton'
import { Suspense } from 'react'
import './custom-content.css'
import { contentKind, frameSandbox } from './custom-content-kind.ts'
import { HtmlFrame } from './html-frame.tsx'
import { inPlace } from './on-demand.tsx'

const Markdown = inPlace(async () => (await import('./markdown.tsx')).default)

/** Shows the operator's content for a page. The content is isolated, so that it cannot act as the user. */
export function CustomContent({ content, title }: { content: string; title: string }) {
  switch (contentKind(content)) {
    case 'address':
      return <PageFrame address={content.trim()} title={title} />
    case 'document':
      return <HtmlFrame className="custom-content-frame" html={content} title={title} />
    case 'markdown':
      return (
        <Suspense fallback={<Skeleton animation text={{ rows: 6, width: '100%' }} />}>
          <Markdown text={content} />
        </Suspense>
      )
  }
}

function PageFrame({ address, title }: { address: string; title: string }) {
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
