import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files whose tests mostly wait for processes, outages and clocks. */
const WAITING = /\/tests\/e2e\//

/** Begins with a file that waits beside each one that computes, so that neither kind is left alone at the end. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId))
    const computing = sorted.filter(({ moduleId }) => !WAITING.test(moduleId))
    const pairs = waiting.flatMap((file, at) => [file, ...computing.slice(at, at + 1)])
    return [...pairs, ...computing.slice(waiting.length)]
  }
}
