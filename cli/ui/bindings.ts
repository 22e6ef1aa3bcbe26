import type { Press } from './keys.tsx'

/** A key of a screen: what it is called in the last line and in the help, and what it does. */
export interface Binding {
  /** Names of presses. */
  keys: readonly string[]
  /** How the key is written. */
  shown: string
  /** A word or two. */
  label: string
  run(): void
  /** Only in the help. */
  quiet?: true
}

/** Does what the key is for. Answers whether it is for anything. */
export function runBinding(bindings: readonly Binding[], { name }: Press): boolean {
  const binding = bindings.find(({ keys }) => keys.includes(name))
  binding?.run()
  return binding !== undefined
}
