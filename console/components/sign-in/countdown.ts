import { useEffect, useState } from 'react'

/** Minimum time between two mails. */
const COOLDOWN_SECONDS = 30

interface Countdown {
  /** Remaining seconds; 0 if the countdown is not running. */
  left: number
  start: () => void
}

/** A countdown for a button with a cooldown. */
export function useCountdown(seconds = COOLDOWN_SECONDS): Countdown {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  const running = left > 0

  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [running])

  return {
    left,
    start() {
      const started = Date.now()
      setNow(started)
      setUntil(started + seconds * 1000)
    },
  }
}
