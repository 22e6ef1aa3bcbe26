import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { auditExport } from './audit/export.ts'
import { auditList } from './audit/list.ts'
import { auditTail } from './audit/tail.ts'

const VERBS = [auditList, auditTail, auditExport]

export function audit(cli: Cli): Command {
  return VERBS.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('audit'))
}
