import { readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

export const theme = createStore<Theme>(readStored('theme', isTheme) ?? systemTheme())

export function chooseTheme(next: Theme): void {
  writeStored('theme', next)
  theme.set(next)
}

/** Arco selects its colors by this attribute. */
export function showTheme(): void {
  document.body.setAttribute('arco-theme', theme.get())
}

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function isTheme(value: unknown): value is Theme {
  return value === 'light' || value === 'dark'
}
