interface Props {
  html: string
  title: string
  className: string
}

/**
 * Shows the operator's HTML in a frame without scripts and without our origin, so that no content can act as the user.
 * Links with `target="_blank"` open a new tab.
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
