import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Press } from './key-reader.ts'

/*
 * Keys go to one place after the other: from what lies on top (a question, a form) down to the program itself, until one takes it.
 */

export type { Press }

/** From the bottom to the top. */
export const LAYER = { program: 0, screen: 1, over: 2, question: 3, always: 4, hidden: 5 } as const
type Layer = (typeof LAYER)[keyof typeof LAYER]

/** Answers whether the key was meant for it. */
type Handler = (press: Press) => boolean

interface Listener {
  layer: Layer
  /** Gets what is pasted. */
  text: boolean
  handle: Handler
}

const Listeners = createContext<Set<Listener>>(new Set())

/** Calls `handle` for keys that nobody above has taken. `text`: it is something that one writes into. */
export function useKeys(layer: Layer, handle: Handler, { active = true, text = false } = {}): void {
  const listeners = useContext(Listeners)
  const listener = useRef<Listener>({ layer, text, handle })
  listener.current = Object.assign(listener.current, { layer, text, handle })
  useLayoutEffect(() => {
    if (!active) return
    const { current } = listener
    listeners.add(current)
    return () => void listeners.delete(current)
  }, [listeners, active])
}

/** Where keys come from: calls `take` with those that were read at once, until what it answers is called. */
export type KeySource = (take: (presses: readonly Press[]) => void) => () => void

interface Struck {
  press: Press
  /** Which reading it came with. */
  reading: number
}

export function Keyboard({ keys, children }: { keys: KeySource; children: ReactNode }) {
  const listeners = useMemo(() => new Set<Listener>(), [])
  const queue = useRef<Struck[]>([])
  const busy = useRef(false)
  const readings = useRef(0)

  useEffect(() => {
    const fromTop = () => [...listeners].reverse().sort((a, b) => b.layer - a.layer)
    const onTop = () => fromTop().find(({ layer }) => layer !== LAYER.always)

    function next(): void {
      const struck = queue.current.shift()
      if (!struck) {
        busy.current = false
        return
      }
      const { press, reading } = struck
      const top = onTop()
      // What was copied somewhere is no row of commands.
      if (press.pasted !== undefined && !top?.text) {
        next()
        return
      }
      fromTop().some(({ handle }) => handle(press))
      // What the key has changed is drawn first, so that the next one goes to what is on top then.
      const drawn = () => {
        // What was struck before a question could be read is no answer to it.
        if (onTop()?.layer === LAYER.question && top?.layer !== LAYER.question) {
          queue.current = queue.current.filter((each) => each.reading !== reading || each.press.name === 'ctrl-c')
        }
        next()
      }
      setImmediate(() => setImmediate(drawn))
    }

    return keys((presses) => {
      readings.current += 1
      queue.current.push(...presses.map((press) => ({ press, reading: readings.current })))
      if (busy.current) return
      busy.current = true
      next()
    })
  }, [keys, listeners])
  return <Listeners.Provider value={listeners}>{children}</Listeners.Provider>
}
