import type { Texts } from '../texts.ts'
import type { Press } from './keys.tsx'

/** A key of a screen: its label in the last line and in the help, and its action. */
export interface KeyBinding {
  /** Names of key presses. */
  keys: readonly string[]
  /** Display form of the key. */
  shown: string
  /** Label of one or two words. */
  label: string
  run(): void
  /** True for a key that is shown only in the help. */
  quiet?: true
}

const SHOWN: Readonly<Record<string, string>> = { enter: 'Enter', escape: 'Esc', ' ': 'Space' }

/** Creates the binding of a single key. */
export function bindKey(key: string, label: string, run: () => void, options: Pick<KeyBinding, 'quiet'> = {}) {
  return { keys: [key], shown: SHOWN[key] ?? key, label, run, ...options } satisfies KeyBinding
}

/** Creates the bindings of the keys that move through lines. */
export function moveBindings(t: Texts['t'], { at, height, last, moveTo }: Movement): KeyBinding[] {
  return [
    { keys: ['down', 'j'], shown: '↓ j', label: t('ui.down'), run: () => moveTo(at + 1), quiet: true },
    { keys: ['up', 'k'], shown: '↑ k', label: t('ui.up'), run: () => moveTo(at - 1), quiet: true },
    { keys: ['page-down'], shown: 'PgDn', label: t('ui.pageDown'), run: () => moveTo(at + height), quiet: true },
    { keys: ['page-up'], shown: 'PgUp', label: t('ui.pageUp'), run: () => moveTo(at - height), quiet: true },
    { keys: ['home', 'g'], shown: 'g', label: t('ui.firstRow'), run: () => moveTo(0), quiet: true },
    { keys: ['end', 'G'], shown: 'G', label: t('ui.lastRow'), run: () => moveTo(last), quiet: true },
  ]
}

interface Movement {
  at: number
  height: number
  last: number
  moveTo(to: number): void
}

/** Runs the binding of a key. Returns whether the key has a binding. */
export function runBinding(bindings: readonly KeyBinding[], { name }: Press): boolean {
  const binding = bindings.find(({ keys }) => keys.includes(name))
  binding?.run()
  return binding !== undefined
}
