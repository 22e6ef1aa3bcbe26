import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** Files in which a retry fails the run, because it could hide an error in charges or permissions. */
const ONE_TRY = /^tests\/(core|e2e)\//
const SLOWEST = 10

/** Reports retried tests, the slowest files and, last, what failed: some CI services keep only the end of the output. */
export const closingReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => ({ name: nameOf(module, test), reason: reasonsOf(test) })),
    )
    if (retried.length > 0)
      console.log(`\nTried again:\n${lines(retried.map(({ name, reason }) => `${name}: ${reason}`))}`)
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST)
    if (modules.length > SLOWEST) {
      console.log(
        `\nSlowest:\n${lines(slowest.map(({ file, seconds }) => `${seconds.toFixed(0).padStart(4)} s ${file}`))}`,
      )
    }
    const hidden = retried.map(({ name }) => name).filter((name) => ONE_TRY.test(name))
    if (hidden.length > 0) {
      console.log(`\nFailed, since these must pass at their first try:\n${lines(hidden)}`)
      process.exitCode = 1
    }
    const failed = [...modules.flatMap(failuresOf), ...unhandled.map(firstLine)]
    if (failed.length > 0) console.log(`\nFailed:\n${lines(failed)}`)
  },
}

const failuresOf = (module: TestModule): string[] => [
  ...module.errors().map((error) => `${module.relativeModuleId}: ${firstLine(error)}`),
  ...[...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => `${module.relativeModuleId} > ${suite.fullName}: ${firstLine(error)}`),
  ),
  ...[...module.children.allTests('failed')].map((test) => `${nameOf(module, test)}: ${reasonsOf(test)}`),
]

const nameOf = (module: TestModule, { fullName }: TestCase): string => `${module.relativeModuleId} > ${fullName}`

/** The errors of all tries, also of those before one that passed. */
const reasonsOf = (test: TestCase): string => (test.result().errors ?? []).map(firstLine).join('; ')

const firstLine = (error: { readonly message: string }): string => error.message.split('\n', 1)[0] ?? ''

const lines = (texts: readonly string[]): string => texts.map((text) => `  ${text}`).join('\n')
