import { useEffect, useState } from 'react'

/** Mails are not sent more often than this. */
const COOLDOWN_SECONDS = 30

interface Countdown {
  /** Seconds to go; 0 when it does not run. */
  left: number
  start: () => void
}

/** Counts down, for a button that must wait before it is pressed again. */
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
