import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 300

/**
 * A text filter in the URL. The field updates with each key, but the URL only after a pause, because changing it rerenders
 * the whole page. If the URL changes otherwise, as through back, the field follows.
 */
export function useFilterText(stored: string, write: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(stored)
  // Texts sent to the URL. When they appear there, keep what the user has typed since.
  const pending = useRef<string[]>([])
  const send = useEffectEvent((text: string) => {
    if (text === stored) return
    pending.current.push(text)
    write(text)
  })
  useEffect(() => {
    const timer = setTimeout(() => send(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const place = pending.current.indexOf(stored)
    if (place < 0) setText(stored)
    else pending.current.splice(0, place + 1)
  }, [stored])
  return [text, setText]
}
