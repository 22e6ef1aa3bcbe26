import { useEffect, useRef } from 'react'

/**
 * Content security policy for the operator's HTML, in addition to the page's own policy. The policy allows no scripts,
 * not even in `javascript:` links, and no frames inside the HTML. A link can still open another site in this frame.
 * Requests for images of our own origin send the session cookie. Over http, the policy therefore allows only the logo
 * of our origin. Over https, `/api/` rejects image requests, which the browser marks.
 */
const POLICY = `default-src 'none'; img-src data: https: ${location.origin}/logo.png; style-src 'unsafe-inline'; base-uri 'none'`

/**
 * Shows the operator's HTML in a frame that is as high as its content. The console can measure the height only if the
 * frame has our origin. Therefore never allow scripts or forms in the frame. Links with `target="_blank"` open a new
 * tab.
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

  // A slow image can delay the load event for minutes, so also measure the content as soon as it is parsed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML loads a new document
  useEffect(() => {
    const previousDocument = frame.current?.contentDocument
    let next = requestAnimationFrame(measure)
    return () => cancelAnimationFrame(next)

    function measure() {
      const content = frame.current?.contentDocument
      if (!frame.current || !content) return
      const isParsed =
        content !== previousDocument && content.URL === 'about:srcdoc' && content.readyState !== 'loading'
      if (isParsed) matchHeight(frame.current)
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
  const results = await Promise.allSettled(pictures.map((picture) => picture.decode()))
  const failedPictures = pictures.filter((_, place) => results[place]?.status === 'rejected')
  for (const picture of failedPictures) picture.replaceWith(picture.alt)
  if (failedPictures.length > 0) matchHeight(frame)
}

/** Sets the frame's height to that of its content. Resets the frame first, so content of height 100% can shrink. */
function matchHeight(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.documentElement
  if (!content) return // a link has opened another site in the frame
  frame.style.height = '0'
  frame.style.height = `${content.scrollHeight}px`
}
