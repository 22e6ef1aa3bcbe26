import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 300

/**
 * A filter that is typed and stands in the address. Its field shows each key at once: a change of the address draws the
 * whole page, and is waited for until the typing pauses. Where the address changes by itself, as by back, the field follows.
 */
export function useTypedFilter(written: string, write: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(written)
  // What is on its way into the address: seeing it there is no news, and more may have been typed since.
  const sent = useRef<string[]>([])
  const send = useEffectEvent((text: string) => {
    if (text === written) return
    sent.current.push(text)
    write(text)
  })
  useEffect(() => {
    const timer = setTimeout(() => send(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const place = sent.current.indexOf(written)
    if (place < 0) setText(written)
    else sent.current.splice(0, place + 1)
  }, [written])
  return [text, setText]
}
