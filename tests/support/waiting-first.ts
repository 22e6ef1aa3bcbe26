import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files whose tests mostly wait for processes, outages and clocks. */
const WAITING = /\/tests\/e2e\//

/** Alternates files that wait and files that compute, so that neither kind remains for the end. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId))
    const computing = sorted.filter(({ moduleId }) => !WAITING.test(moduleId))
    const pairs = waiting.flatMap((file, at) => [file, ...computing.slice(at, at + 1)])
    return [...pairs, ...computing.slice(waiting.length)]
  }
}
