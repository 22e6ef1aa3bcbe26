import { styleText } from 'node:util'

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

/** Functions that style a text for a terminal, or return it unchanged. */
export type Colors = Readonly<Record<(typeof STYLES)[number], (text: string) => string>> & {
  readonly isColored: boolean
}

export function createColors(isColored: boolean): Colors {
  const styles = STYLES.map((style) => [
    style,
    isColored ? (text: string) => styleText(style, text, { validateStream: false }) : (text: string) => text,
  ])
  return { ...Object.fromEntries(styles), isColored }
}
