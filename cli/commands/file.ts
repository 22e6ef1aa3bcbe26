import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { fileDelete } from './file/delete.ts'
import { fileGet } from './file/get.ts'
import { fileList } from './file/list.ts'

export function file(cli: Cli): Command {
  return [fileList, fileGet, fileDelete].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('file'))
}
