import type { label } from '../../texts/zh.ts'

/** Name of a check, as a key of the texts `label`. */
type Check = keyof typeof label

/** Result of one check. */
export interface Finding {
  check: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** How to fix the problem. */
  fix?: string
}

type Report = (message: string, fix?: string) => Finding

/** Returns functions that create the findings of one check: `const { ok, warn, fail } = findings('clock')`. */
export function findings(check: Check): Record<Finding['status'], Report> {
  const report =
    (status: Finding['status']): Report =>
    (message, fix) => ({ check, status, message, ...(fix !== undefined && { fix }) })
  return { ok: report('ok'), warn: report('warn'), fail: report('fail') }
}
