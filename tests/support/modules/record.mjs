/*
 * Records the path of each module that the main thread of a process loads, in the file MODULES_FILE. For `node --import`.
 * CommonJS modules are recorded by their loader, others by a hook: https://nodejs.org/api/module.html#customization-hooks
 */
import { appendFileSync } from 'node:fs'
import Module, { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  for (const extension of ['.js', '.json', '.node']) {
    const load = Module._extensions[extension]
    Module._extensions[extension] = (module, file) => {
      appendFileSync(process.env.MODULES_FILE, `${file}\n`)
      return load(module, file)
    }
  }
  register('./hooks.mjs', import.meta.url, { data: { file: process.env.MODULES_FILE } })
}
