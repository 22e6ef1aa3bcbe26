import type { Reporter, TestModule } from 'vitest/node'

/** Says at the end which tests were tried again: one that passes only then is to be looked at. */
export const retriedReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map(({ fullName }) => `  ${module.relativeModuleId} > ${fullName}`),
    )
    if (names.length > 0) console.log(`\nTried again:\n${names.join('\n')}`)
  },
}
