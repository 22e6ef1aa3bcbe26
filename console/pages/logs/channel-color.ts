const COLORS = ['blue', 'green', 'cyan', 'lime', 'gold', 'orange', 'orangered'] as const

/** The same colour for a channel on every page. */
export function channelColor(id: number): string {
  return COLORS[id % COLORS.length] ?? 'blue'
}
