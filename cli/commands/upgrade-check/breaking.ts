import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_FOLDER } from '../../../core/version.ts'
import { compareVersions } from '../../remote/version.ts'

const CHANGELOG = join(PACKAGE_FOLDER, 'CHANGELOG.md')

/** Returns the breaking changes after a version, newest first; none if there is no changelog. */
export async function breakingChanges({ after }: { after: string }): Promise<string[]> {
  return existsSync(CHANGELOG) ? breakingIn(await readFile(CHANGELOG, 'utf8'), after) : []
}

/** Returns the texts after `**Breaking:**` in the changelog's sections of versions after `after`. */
export function breakingIn(changelog: string, after: string): string[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .filter((section) => compareVersions(/^\[(\d+\.\d+\.\d+)\]/.exec(section)?.[1] ?? '0.0.0', after) > 0)
    .flatMap((section) =>
      Array.from(section.replace(/\n +/g, ' ').matchAll(/\*\*Breaking:\*\* ([^\n]+?)(?= \*\*|\n|$)/g)),
    )
    .map(([, change = '']) => change.replace(/[`*]/g, '').trim())
}
