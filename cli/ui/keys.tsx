import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Press } from './key-reader.ts'

/*
 * Dispatches keys from the top layer (a question, a form) down to the program, until a handler accepts the key.
 */

export type { Press }

/** Layers from bottom to top. */
export const LAYER = { program: 0, screen: 1, over: 2, command: 3, question: 4, always: 5, hidden: 6 } as const
type Layer = (typeof LAYER)[keyof typeof LAYER]

/** Returns true if the handler accepts the key. Lower layers then do not get the key. */
type Handler = (press: Press) => boolean

interface Listener {
  layer: Layer
  /** Whether the listener accepts pasted text. */
  text: boolean
  /** Whether rows are loading. Keys are queued until the rows are loaded. */
  waiting: boolean
  handle: Handler
}

interface Listeners {
  all: Set<Listener>
  /** Handles the queued keys. */
  resume(): void
}

const ListenersContext = createContext<Listeners>({ all: new Set(), resume: () => {} })

/**
 * Calls `handle` for keys that no higher layer has accepted. `text`: accepts pasted text. `waiting`: queues keys while
 * rows are loading.
 */
export function useKeys(layer: Layer, handle: Handler, { active = true, text = false, waiting = false } = {}): void {
  const listeners = useContext(ListenersContext)
  const listener = useRef<Listener>({ layer, text, waiting, handle })
  listener.current = Object.assign(listener.current, { layer, text, waiting, handle })
  useLayoutEffect(() => {
    if (!active) return
    const { current } = listener
    listeners.all.add(current)
    return () => {
      listeners.all.delete(current)
      listeners.resume()
    }
  }, [listeners, active])
  useEffect(() => {
    if (!waiting) listeners.resume()
  }, [listeners, waiting])
}

/** Calls `take` with the keys of each read from the terminal. Returns a function that stops the calls. */
export type KeySource = (take: (presses: readonly Press[]) => void) => () => void

interface QueuedKey {
  press: Press
  /** Number of the read from the terminal that returned the key. */
  reading: number
}

/** Keys that leave a list. Keys that are queued for the list are then dropped. */
const LEAVING_KEYS = /^(ctrl-c|q|tab|shift-tab|escape|:|\d)$/
/** Keys that work without rows, if no other keys are queued before them. */
const KEYS_WITHOUT_ROWS = /^(\/|\?|r|c|left|right|\[|\])$/
/** Keys that open an input; the following keys are text. */
const INPUT_KEYS = /^[aelT/]$/
/** Maximum number of queued keys. Further keys are dropped. */
const QUEUE_MAX = 50

export function Keyboard({ keys, children }: { keys: KeySource; children: ReactNode }) {
  const listeners = useMemo<Listeners>(() => ({ all: new Set<Listener>(), resume: () => {} }), [])
  const queue = useRef<QueuedKey[]>([])
  const busy = useRef(false)
  const readings = useRef(0)

  useEffect(() => {
    const listenersFromTop = () => [...listeners.all].reverse().sort((a, b) => b.layer - a.layer)
    const topListener = () => listenersFromTop().find(({ layer }) => layer !== LAYER.always)

    /** Returns whether keys must wait for rows. Drops keys that are queued before a key that leaves the list. */
    function mustWait(top: Listener | undefined): boolean {
      if (!top?.waiting) return false
      const names = queue.current.map(({ press }) => press.name)
      const leaving = names.findIndex((name) => LEAVING_KEYS.test(name))
      const writing = names.findIndex((name) => INPUT_KEYS.test(name))
      if (leaving >= 0 && (writing < 0 || leaving < writing || names[leaving] === 'ctrl-c')) {
        queue.current.splice(0, leaving)
        return false
      }
      return !KEYS_WITHOUT_ROWS.test(queue.current[0]?.press.name ?? '')
    }

    function next(): void {
      const top = topListener()
      if (queue.current.length === 0 || mustWait(top)) {
        busy.current = false
        queue.current.splice(QUEUE_MAX)
        return
      }
      const { press, reading } = queue.current.shift() as QueuedKey
      // Pasted text outside of inputs is ignored, so that it does not act as commands.
      if (press.pasted !== undefined && !top?.text) {
        next()
        return
      }
      listenersFromTop().some(({ handle }) => handle(press))
      // The effect of the key is rendered first, so that the next key goes to the new top layer.
      const afterRender = () => {
        // Keys that were typed before the question was visible are dropped.
        if (topListener()?.layer === LAYER.question && top?.layer !== LAYER.question) {
          queue.current = queue.current.filter((each) => each.reading !== reading || each.press.name === 'ctrl-c')
        }
        next()
      }
      setImmediate(() => setImmediate(afterRender))
    }

    function start(): void {
      if (busy.current) return
      busy.current = true
      next()
    }
    listeners.resume = () => void setImmediate(start)
    const stop = keys((presses) => {
      readings.current += 1
      queue.current.push(...presses.map((press) => ({ press, reading: readings.current })))
      start()
    })
    return () => {
      listeners.resume = () => {}
      stop()
    }
  }, [keys, listeners])
  return <ListenersContext.Provider value={listeners}>{children}</ListenersContext.Provider>
}
