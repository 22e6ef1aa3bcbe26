import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 300

/** Returns the last value that was unchanged for `pauseMs` milliseconds. */
export function usePaused<T>(value: T, pauseMs: number): T {
  const [delayedValue, setDelayedValue] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayedValue(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return delayedValue
}

/**
 * Returns the text of a filter field, and the function that changes the text. After a pause in typing, `write` stores
 * the text in the URL. The pause is needed because a change of the URL rerenders the whole page. If the URL changes for
 * another reason, such as the back button, the field shows the text of the URL.
 */
export function useFilterText(stored: string, write: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(stored)
  // Texts that were written to the URL. When a text appears there, keep the text that the user has typed since then.
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
    const index = pending.current.indexOf(stored)
    if (index < 0) setText(stored)
    else pending.current.splice(0, index + 1)
  }, [stored])
  return [text, setText]
}
