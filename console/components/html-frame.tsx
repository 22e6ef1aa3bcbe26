interface Props {
  html: string
  title: string
  className: string
}

/**
 * The operator's own HTML, in a frame without scripts and without our origin: whatever stands in it, it cannot act as
 * the person who reads it. Links that ask for a new tab get one.
 */
export function HtmlFrame({ html, title, className }: Props) {
  return (
    <iframe
      className={className}
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={html}
    />
  )
}
