import { useEffect, useRef } from 'react'

/**
 * Restricts the operator's HTML, in addition to the page's policy: no frames and no scripts, not even by a link. Images
 * would send the user's session to our own addresses; over https the server can detect and reject these requests.
 */
const POLICY = `default-src 'none'; img-src data: https: ${location.origin}/logo.png; style-src 'unsafe-inline'; base-uri 'none'`

/**
 * The operator's HTML in a frame as high as its content. Measuring requires our origin, so nothing in the frame may run:
 * never allow scripts or forms. Links with a new-tab target open a new tab.
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

  // A slow image delays the load event, possibly for minutes. Measure the text as soon as it is parsed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML loads a new document
  useEffect(() => {
    const before = frame.current?.contentDocument
    let next = requestAnimationFrame(measure)
    return () => cancelAnimationFrame(next)

    function measure() {
      const content = frame.current?.contentDocument
      if (!frame.current || !content) return
      const parsed = content !== before && content.URL === 'about:srcdoc' && content.readyState !== 'loading'
      if (parsed) matchHeight(frame.current)
      else next = requestAnimationFrame(measure)
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

/** Replaces images that failed to load with their alternative text. */
async function replaceFailedPictures(frame: HTMLIFrameElement): Promise<void> {
  const pictures = [...(frame.contentDocument?.images ?? [])]
  const seen = await Promise.allSettled(pictures.map((picture) => picture.decode()))
  const failed = pictures.filter((_, place) => seen[place]?.status === 'rejected')
  for (const picture of failed) picture.replaceWith(picture.alt)
  if (failed.length > 0) matchHeight(frame)
}

/** Resets the height before measuring, so that content of 100% height can shrink. */
function matchHeight(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.documentElement
  if (!content) return // a link has opened another site in the frame
  frame.style.height = '0'
  frame.style.height = `${content.scrollHeight}px`
}
