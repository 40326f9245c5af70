//===- Reflection.cpp - a file's kernels and structs as JSON ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Reflection.h"

#include <nlohmann/json.hpp>

namespace khalc {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const SourcePosition &position) {
  return {{"file", position.file}, {"line", position.line}, {"column", position.column}};
}

const char *nameOf(Parameter::Form form) {
  switch (form) {
  case Parameter::Form::Span:
    return "span";
  case Parameter::Form::Reference:
    return "reference";
  case Parameter::Form::Pointer:
    return "pointer";
  case Parameter::Form::SharedSpan:
    return "shared_span";
  case Parameter::Form::Value:
    return "value";
  case Parameter::Form::Aggregate:
    break;
  }
  return "aggregate";
}

Json toJson(const Leaf &leaf) {
  Json json;
  switch (leaf.kind) {
  case Leaf::Kind::BufferPointer:
    json = {{"kind", "pointer"}, {"buffer", leaf.index}};
    break;
  case Leaf::Kind::BufferLength:
    json = {{"kind", "length"}, {"buffer", leaf.index}, {"block_offset", leaf.blockOffset}};
    break;
  case Leaf::Kind::SharedPointer:
    json = {{"kind", "shared_pointer"}, {"shared_span", leaf.index}};
    break;
  case Leaf::Kind::SharedLength:
    json = {
        {"kind", "shared_length"}, {"shared_span", leaf.index}, {"block_offset", leaf.blockOffset}};
    break;
  case Leaf::Kind::Uniform:
    json = {{"kind", "uniform"}, {"block_offset", leaf.blockOffset}, {"size", leaf.size}};
    break;
  }
  json["object_offset"] = leaf.objectOffset;
  return json;
}

Json toJson(const Parameter &parameter) {
  Json json = {{"name", parameter.name},
               {"form", nameOf(parameter.form)},
               {"type", parameter.hostType},
               {"position", toJson(parameter.position)}};
  if (parameter.form != Parameter::Form::Value && parameter.form != Parameter::Form::Aggregate) {
    json["read_only"] = parameter.readOnly;
    json["element_size"] = parameter.elementSize;
  }
  json["object_size"] = parameter.objectSize;
  json["object_alignment"] = parameter.objectAlignment;
  json["leaves"] = Json::array();
  for (const Leaf &leaf : parameter.leaves)
    json["leaves"].push_back(toJson(leaf));
  return json;
}

Json toJson(const BufferSlot &buffer) {
  return {{"name", buffer.name},
          {"type", buffer.elementType},
          {"element_size", buffer.elementSize},
          {"element_alignment", buffer.elementAlignment},
          {"read_only", buffer.readOnly},
          {"has_length", buffer.hasLength}};
}

Json toJson(const SharedSpan &span) {
  return {{"name", span.name},
          {"type", span.elementType},
          {"element_size", span.elementSize},
          {"length_offset", span.lengthOffset}};
}

Json toJson(const CompiledKernel &artifact) {
  if (!artifact.unavailable.empty())
    return {{"target", khal::abi::name_of(artifact.target)}, {"unavailable", artifact.unavailable}};
  return {{"target", khal::abi::name_of(artifact.target)},
          {"variant", artifact.variant},
          {"entry", artifact.entry},
          {"code_bytes", artifact.code.size()},
          {"features", artifact.features},
          {"scratch_bytes", artifact.scratchBytes},
          {"shared_bytes", artifact.sharedBytes},
          {"max_buffer_bytes", artifact.maxBufferBytes}};
}

Json toJson(const KernelInfo &kernel, const std::vector<CompiledKernel> &compiled) {
  Json json = {{"name", kernel.name},
               {"display_name", kernel.displayName},
               {"namespaces", kernel.namespaces},
               {"template_arguments", kernel.templateArguments},
               {"symbol", kernel.symbol},
               {"body", kernel.bodyFunction},
               {"position", toJson(kernel.position)},
               {"group_size", kernel.groupSize},
               {"may_alias", kernel.mayAlias},
               {"block_size", kernel.blockSize}};
  json["parameters"] = Json::array();
  for (const Parameter &parameter : kernel.parameters)
    json["parameters"].push_back(toJson(parameter));
  json["buffers"] = Json::array();
  for (const BufferSlot &buffer : kernel.buffers)
    json["buffers"].push_back(toJson(buffer));
  json["shared_spans"] = Json::array();
  for (const SharedSpan &span : kernel.sharedSpans)
    json["shared_spans"].push_back(toJson(span));
  json["artifacts"] = Json::array();
  for (const CompiledKernel &artifact : compiled)
    if (artifact.kernelSymbol == kernel.symbol)
      json["artifacts"].push_back(toJson(artifact));
  return json;
}

const char *nameOf(StructInfo::Origin origin) {
  switch (origin) {
  case StructInfo::Origin::KernelFile:
    return "kernel file";
  case StructInfo::Origin::UserHeader:
    return "header";
  case StructInfo::Origin::Generated:
    return "generated";
  case StructInfo::Origin::Khal:
    break;
  }
  return "khal";
}

Json toJson(const StructInfo &info) {
  Json json = {{"name", info.name},
               {"qualified_name", info.qualifiedName},
               {"namespaces", info.namespaces},
               {"origin", nameOf(info.origin)},
               {"header", info.header},
               {"size", info.size},
               {"alignment", info.alignment},
               {"over_aligned", info.overAligned},
               {"is_union", info.isUnion}};
  json["members"] = Json::array();
  for (const StructInfo::Member &member : info.members) {
    json["members"].push_back({{"name", member.name},
                               {"type", member.typeSpelling},
                               {"extents", member.arrayExtents},
                               {"offset", member.offset}});
    if (member.bits)
      json["members"].back()["bits"] = *member.bits;
  }
  return json;
}

Json toJson(const EnumInfo &info) {
  Json json = {{"name", info.name},
               {"qualified_name", info.qualifiedName},
               {"namespaces", info.namespaces},
               {"origin", nameOf(info.origin)},
               {"header", info.header},
               {"underlying", info.underlying},
               {"scoped", info.isScoped}};
  json["enumerators"] = Json::array();
  for (const EnumInfo::Enumerator &enumerator : info.enumerators)
    json["enumerators"].push_back({{"name", enumerator.name}, {"value", enumerator.value}});
  return json;
}

} // namespace

std::string kernelsAsJson(const KernelFile &file, const std::vector<CompiledKernel> &compiled) {
  Json json = {{"version", 1}, {"file", file.path}};
  json["kernels"] = Json::array();
  for (const KernelInfo &kernel : file.kernels)
    json["kernels"].push_back(toJson(kernel, compiled));
  json["enums"] = Json::array();
  for (const EnumInfo &info : file.enums)
    json["enums"].push_back(toJson(info));
  json["structs"] = Json::array();
  for (const StructInfo &info : file.structs)
    json["structs"].push_back(toJson(info));
  // File names and identifiers may hold any bytes; JSON is UTF-8.
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

} // namespace khalc
