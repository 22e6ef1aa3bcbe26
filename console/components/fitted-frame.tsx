import { useEffect, useRef } from 'react'

/**
 * What the operator's HTML may load here, on top of the page's own policy: no script, not even by a link, and no frame.
 * Pictures would carry the reader's session to our own addresses; over https the server can tell them apart and refuses.
 */
const POLICY = `default-src 'none'; img-src data: https: ${location.origin}/logo.png; style-src 'unsafe-inline'; base-uri 'none'`

/**
 * The operator's own HTML in a frame that is as high as what is in it. To be measured it has our origin, therefore nothing
 * in it may ever run: the frame must not be allowed scripts, nor forms. Links that ask for a new tab get one.
 */
export function FittedFrame({ html, title, className }: { html: string; title: string; className: string }) {
  const frame = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    let width = 0
    const observer = new ResizeObserver(([entry]) => {
      if (!entry || !frame.current || entry.contentRect.width === width) return
      width = entry.contentRect.width
      matchHeight(frame.current)
    })
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])

  // A picture that does not come holds up the load event, for minutes if its server is silent: the words are there before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another document
  useEffect(() => {
    const before = frame.current?.contentDocument
    let next = requestAnimationFrame(look)
    return () => cancelAnimationFrame(next)

    function look() {
      const content = frame.current?.contentDocument
      if (!frame.current || !content) return
      const parsed = content !== before && content.URL === 'about:srcdoc' && content.readyState !== 'loading'
      if (parsed) matchHeight(frame.current)
      else next = requestAnimationFrame(look)
    }
  }, [html])

  return (
    <iframe
      ref={frame}
      className={className}
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${html}`}
      onLoad={({ currentTarget }) => {
        matchHeight(currentTarget)
        void replaceFailedPictures(currentTarget)
      }}
    />
  )
}

/** A picture that did not load is what it says of itself, or nothing, and no broken frame. */
async function replaceFailedPictures(frame: HTMLIFrameElement): Promise<void> {
  const pictures = [...(frame.contentDocument?.images ?? [])]
  const seen = await Promise.allSettled(pictures.map((picture) => picture.decode()))
  const failed = pictures.filter((_, place) => seen[place]?.status === 'rejected')
  for (const picture of failed) picture.replaceWith(picture.alt)
  if (failed.length > 0) matchHeight(frame)
}

/** Measured from nothing: what is as high as its window must not keep the height it once had. */
function matchHeight(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.documentElement
  if (!content) return // a link has led the frame to another site
  frame.style.height = '0'
  frame.style.height = `${content.scrollHeight}px`
}
