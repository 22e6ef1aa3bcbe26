import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { compareVersions } from '../../remote/version.ts'

/** Beside the sources, or one folder further up from the built files. */
const PLACES = ['../../../CHANGELOG.md', '../../../../CHANGELOG.md'].map((path) => new URL(path, import.meta.url))

/** The changes that the changelog marks as breaking in versions after the given one, newest first. Empty without a changelog. */
export async function breakingChanges({ after }: { after: string }): Promise<string[]> {
  const file = PLACES.find((place) => existsSync(place))
  return file ? breakingIn(await readFile(file, 'utf8'), after) : []
}

/** The sentences after `**Breaking:**` below the headings of newer versions. */
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
