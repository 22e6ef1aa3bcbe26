import { type Key, useInput } from 'ink'
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react'

/*
 * Keys go to one place after the other: from what lies on top (a question, a form) down to the program itself, until one takes it.
 */

/** A key, by its name (`up`, `enter`, `ctrl-s`), or characters that were typed or pasted. */
export interface Press {
  name: string
  /** Empty for keys that write nothing. */
  text: string
  /** What was pasted, with its line breaks: `text` has blanks instead of them. */
  pasted?: string
}

/** From the bottom to the top. */
export const LAYER = { program: 0, screen: 1, over: 2, question: 3, always: 4 } as const
type Layer = (typeof LAYER)[keyof typeof LAYER]

/** Answers whether the key was meant for it. */
type Handler = (press: Press) => boolean

interface Listener {
  layer: Layer
  /** Gets pasted text whole; the others get a press for each character. */
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

/** What a terminal puts around text that is pasted, as Ink reads it. */
const PASTE = { begins: '[200~', ends: '[201~' } as const

export function Keyboard({ children }: { children: ReactNode }) {
  const listeners = useMemo(() => new Set<Listener>(), [])
  const queue = useRef<Press[]>([])
  const busy = useRef(false)
  const pasting = useRef(false)

  const fromTop = () => [...listeners].reverse().sort((a, b) => b.layer - a.layer)

  function next(): void {
    const press = queue.current.shift()
    if (!press) {
      busy.current = false
      return
    }
    // What always hears keys besides is nothing that one writes into.
    const top = fromTop().find(({ layer }) => layer < LAYER.always)
    const [first = '', ...rest] = press.text
    if (rest.length > 0 && !top?.text) {
      queue.current.unshift({ name: first, text: first }, { name: rest.join(''), text: rest.join('') })
      next()
      return
    }
    fromTop().some(({ handle }) => handle(press))
    // What the key has changed is drawn first, so that the next one goes to what is on top then.
    setImmediate(() => setImmediate(next))
  }

  useInput((input, key) => {
    if (input === PASTE.begins || input === PASTE.ends) {
      pasting.current = input === PASTE.begins
      return
    }
    // Line breaks that were pasted are no Enter: a form must not be sent by them.
    const pasted = input.replace(/\p{Cc}+/gu, ' ')
    queue.current.push(
      ...(pasting.current && pasted ? [{ name: pasted, text: pasted, pasted: input }] : pressesOf(input, key)),
    )
    if (busy.current) return
    busy.current = true
    next()
  })
  return <Listeners.Provider value={listeners}>{children}</Listeners.Provider>
}

const NAMES: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // The key above Enter sends what Ink calls delete.
  ['delete', 'backspace'],
]

function pressesOf(input: string, key: Key): Press[] {
  const special = NAMES.find(([flag]) => key[flag])
  if (special) return [{ name: special[1], text: '' }]
  if (key.tab) return [{ name: key.shift ? 'shift-tab' : 'tab', text: '' }]
  if (key.ctrl) return [{ name: `ctrl-${input}`, text: '' }]
  if (key.meta) return []
  // Keys that were struck faster than they could be read come in one piece.
  return (input.match(/\r\n|\p{Cc}|\P{Cc}+/gu) ?? []).map((piece) => {
    const name = CONTROLS[piece] ?? (/^\p{Cc}/u.test(piece) ? `ctrl-${letterOf(piece)}` : piece)
    return { name, text: name === piece ? piece : '' }
  })
}

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
}

const letterOf = (control: string) => String.fromCharCode(control.charCodeAt(0) + 96)
