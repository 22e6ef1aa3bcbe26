import type { Cli } from '../../cli.ts'
import { EXIT } from '../../errors.ts'
import { padded } from '../../output/display-width.ts'
import { sanitizeName } from '../../output/sanitize.ts'
import type { Texts } from '../../texts.ts'
import type { Finding } from './finding.ts'

const CHECK_WIDTH = 13

/** Prints one line for each finding, with the fix below. Sets exit code 1 if a check failed. */
export async function reportFindings(cli: Cli, findings: readonly Finding[]): Promise<void> {
  if (findings.some(({ status }) => status === 'fail')) cli.exitCode = EXIT.failed
  if (cli.json) return cli.writeJson(findings)
  const { color } = await cli.format()
  const paint = { ok: color.green, warn: color.yellow, fail: color.red }
  for (const { check, status, message, fix } of findings) {
    cli.write(`${paint[status](status.padEnd(6))}${padded(cli.label(check), CHECK_WIDTH)}${sanitizeName(message)}`)
    if (fix) cli.write(`${' '.repeat(6 + CHECK_WIDTH)}→ ${sanitizeName(fix)}`)
  }
  cli.note(summary(cli, findings))
}

function summary({ t }: Texts, findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const [warnings, failures] = [count('warn'), count('fail')]
  if (warnings + failures === 0) return t('doctor.allChecksPassed')
  return t('doctor.failedWarningsPassed', { failures, count: warnings, passed: count('ok') })
}
