// Runs recorded launches (see Launch.h) from their WGSL and compares each buffer, bit by bit.
//
//   node replay_wgsl.mjs RECORDING…                         by Dawn: npm's webgpu, from KHAL_NODE_MODULES
//   deno run --allow-all replay_wgsl.mjs RECORDING…         by wgpu and naga
//
// Ends with 0 when all launches agree, 1 when some don't, 2 when there is no WebGPU.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

async function openWebGpu() {
  if (globalThis.Deno) return navigator.gpu;
  const modules = process.env.KHAL_NODE_MODULES;
  if (!modules) throw new Error("set KHAL_NODE_MODULES to a folder with npm's webgpu");
  const dawn = await import(pathToFileURL(join(modules, "webgpu", "index.js")));
  Object.assign(globalThis, dawn.globals);
  return dawn.create([]);
}

const raised = ["maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX", "maxComputeWorkgroupSizeY",
  "maxComputeWorkgroupStorageSize", "maxStorageBuffersPerShaderStage", "maxStorageBufferBindingSize",
  "maxBufferSize"];

async function openDevice(gpu) {
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("there is no WebGPU adapter");
  const requiredLimits = Object.fromEntries(raised.map((name) => [name, adapter.limits[name]]));
  const requiredFeatures = adapter.features.has("shader-f16") ? ["shader-f16"] : [];
  return adapter.requestDevice({ requiredLimits, requiredFeatures });
}

const roundUp = (value, step) => Math.ceil(Math.max(value, 1) / step) * step;

function makeBuffer(device, bytes, usage) {
  const buffer = device.createBuffer({ size: roundUp(bytes.length, 16), usage, mappedAtCreation: true });
  new Uint8Array(buffer.getMappedRange()).set(bytes);
  buffer.unmap();
  return buffer;
}

async function readBack(device, buffer, length) {
  const size = roundUp(length, 16);
  const copy = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, copy, 0, size);
  device.queue.submit([encoder.finish()]);
  await copy.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(copy.getMappedRange()).slice(0, length);
  copy.destroy();
  return bytes;
}

const pipelines = new Map();

async function pipelineFor(device, code, entryPoint) {
  if (pipelines.has(code)) return pipelines.get(code);
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const messages = module.getCompilationInfo ? (await module.getCompilationInfo()).messages : [];
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
  const error = await device.popErrorScope();
  const said = messages.filter((message) => message.type === "error");
  if (error || said.length)
    throw new Error(said.map((m) => `${m.lineNum}:${m.linePos}: ${m.message}`).join("; ") || error.message);
  pipelines.set(code, pipeline);
  return pipeline;
}

async function replay(device, folder, launch) {
  const code = readFileSync(join(folder, "kernel.wgsl"), "utf8");
  const pipeline = await pipelineFor(device, code, launch.artifacts.wgsl.entry);
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const buffers = launch.buffers.map((_, i) => makeBuffer(device, readFileSync(join(folder, `${i}.before`)), storage));
  const words = new Uint32Array(roundUp(launch.block.length + launch.buffers.length, 4));
  words.set(launch.block);
  const bound = [...buffers, makeBuffer(device, new Uint8Array(words.buffer), GPUBufferUsage.UNIFORM)];
  const used = new Set([...code.matchAll(/@binding\((\d+)\)/g)].map((match) => Number(match[1])));
  const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } })).filter((entry) => used.has(entry.binding));
  device.pushErrorScope("validation");
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  if (entries.length) pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(...launch.groups);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  for (let i = 0; i < buffers.length; ++i) {
    if (launch.buffers[i].read_only) continue;
    const expected = readFileSync(join(folder, `${i}.after`));
    const got = await readBack(device, buffers[i], expected.length);
    const at = expected.findIndex((byte, k) => byte !== got[k]);
    if (at >= 0) throw new Error(`buffer ${i}: byte ${at} is ${got[at]} and should be ${expected[at]}`);
  }
  for (const buffer of bound) buffer.destroy();
}

// Kept: Dawn ends with what it was opened by.
let gpu, device;
try {
  gpu = await openWebGpu();
  device = await openDevice(gpu);
} catch (error) {
  console.error(`no WebGPU: ${error.message}`);
  process.exit(2);
}
let ran = 0, failed = 0, unavailable = 0;
for (const recording of process.argv.slice(2))
  for (let i = 0; existsSync(join(recording, String(i), "launch.json")); ++i, ++ran) {
    const folder = join(recording, String(i));
    const launch = JSON.parse(readFileSync(join(folder, "launch.json"), "utf8"));
    if (launch.artifacts.wgsl.unavailable) {
      console.log(`${launch.kernel}: ${launch.artifacts.wgsl.unavailable}`);
      ++unavailable;
      continue;
    }
    try {
      await replay(device, folder, launch);
    } catch (error) {
      ++failed;
      console.error(`${launch.kernel} (launch ${i}): ${error.message}`);
    }
  }
console.log(`${ran} launches, ${failed} failed, ${unavailable} of kernels that wgsl can't express`);
device.destroy();
process.exit(ran > unavailable && failed === 0 ? 0 : 1);
