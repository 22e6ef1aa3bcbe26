import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { jobList } from './job/list.ts'

export function job(cli: Cli): Command {
  return new Command('job').addCommand(jobList(cli))
}
