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

/** Runs the binding of a key. Returns whether the key has a binding. */
export function runBinding(bindings: readonly KeyBinding[], { name }: Press): boolean {
  const binding = bindings.find(({ keys }) => keys.includes(name))
  binding?.run()
  return binding !== undefined
}
