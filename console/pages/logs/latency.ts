type LatencyColor = 'green' | 'orange' | 'red'

export function durationColor(seconds: number): LatencyColor {
  if (seconds < 101) return 'green'
  return seconds < 300 ? 'orange' : 'red'
}

export function firstTokenColor(milliseconds: number): LatencyColor {
  if (milliseconds < 3000) return 'green'
  return milliseconds < 10_000 ? 'orange' : 'red'
}

/** Returns seconds as text with one decimal. */
export const inSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
