import { useEffect, useState } from 'react'
import { ApiError } from '../../api/client.ts'

/** Minimum time between two mails. */
const COOLDOWN_SECONDS = 30

interface Countdown {
  /** Remaining seconds; 0 if the countdown is not running. */
  left: number
  /** Runs `send` and starts the countdown. A rejection by the server ends it, because then no mail is sent. */
  run: <Result>(send: () => Promise<Result>) => Promise<Result>
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
    async run(send) {
      const started = Date.now()
      setNow(started)
      setUntil(started + seconds * 1000)
      try {
        return await send()
      } catch (error) {
        if (error instanceof ApiError && error.kind === 'refused' && error.code !== 'MAIL_COOLDOWN') setUntil(0)
        throw error
      }
    },
  }
}
