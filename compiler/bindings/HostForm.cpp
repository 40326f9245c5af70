//===- HostForm.cpp - kernel types as the host sees them --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "bindings/HostForm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace khalc::bindings {

/// In the host's ABI.
static constexpr uint64_t pointerBytes = 8, spanBytes = 16;

std::optional<BufferMember> asBuffer(llvm::StringRef typeSpelling) {
  llvm::StringRef type = typeSpelling.trim();
  llvm::StringRef span = type;
  span.consume_front("::");
  if (span.consume_front("khal::span<") && span.consume_back(">"))
    return BufferMember{span.trim().str(), spanBytes, false};
  const bool isReference = type.consume_back("&");
  if (isReference || type.consume_back("*"))
    return BufferMember{type.trim().str(), pointerBytes, isReference};
  return std::nullopt;
}

bool isSharedSpan(llvm::StringRef typeSpelling) {
  typeSpelling.consume_front("::");
  return typeSpelling.starts_with("khal::shared_span<");
}

std::vector<TemplateArgument> templateArguments(llvm::StringRef text) {
  std::vector<TemplateArgument> arguments;
  text = text.substr(text.find('<')).trim();
  if (!text.consume_front("<") || !text.consume_back(">") || text.trim().empty())
    return arguments;
  auto add = [&](llvm::StringRef spelling) {
    spelling = spelling.trim();
    const bool isNumber = llvm::isDigit(spelling.front()) || spelling.front() == '-';
    const bool isBool = spelling == "true" || spelling == "false";
    if (llvm::StringRef enumeration = spelling; enumeration.consume_front("static_cast<"))
      return arguments.push_back({spelling.str(), enumeration.split('>').first.str()});
    // The widest type takes a value of any.
    arguments.push_back({spelling.str(), isBool ? "bool"
                                         : isNumber && spelling.ends_with("u")
                                             ? "unsigned long long"
                                         : isNumber ? "long long"
                                                    : "class"});
  };
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<';
    depth -= text[i] == '>';
    if (text[i] == ',' && depth == 0) {
      add(text.slice(begin, i));
      begin = i + 1;
    }
  }
  add(text.substr(begin));
  return arguments;
}

const StructInfo *HostForms::find(llvm::StringRef qualifiedName) const {
  const auto *found = llvm::find_if(
      structs, [&](const StructInfo &info) { return info.qualifiedName == qualifiedName; });
  return found == structs.end() ? nullptr : found;
}

bool HostForms::holdsBuffers(const StructInfo &info) const {
  return llvm::any_of(info.members, [&](const StructInfo::Member &member) {
    if (asBuffer(member.typeSpelling) || isSharedSpan(member.typeSpelling))
      return true;
    const StructInfo *inner = find(member.typeSpelling);
    return inner && holdsBuffers(*inner);
  });
}

std::string readable(std::string type) {
  static constexpr std::pair<const char *, const char *> names[] = {
      {"float", "float"},          {"double", "double"},       {"bool", "bool"},
      {"std::int8_t", "char"},     {"std::uint8_t", "uchar"},  {"std::int16_t", "short"},
      {"std::uint16_t", "ushort"}, {"std::int32_t", "int"},    {"std::uint32_t", "uint"},
      {"std::int64_t", "long"},    {"std::uint64_t", "ulong"}, {"::khal::f16", "half"}};
  for (const auto &[element, name] : names)
    for (const char *count : {"2", "3", "4"}) {
      const std::string full = std::string("::khal::vec<") + element + ", " + count + "u>";
      for (size_t at; (at = type.find(full)) != std::string::npos;)
        type.replace(at, full.size(), std::string("::khal::") + name + count);
    }
  return type;
}

std::optional<HostForms::ArrayElement> HostForms::asStandardArray(const StructInfo &info) {
  const std::vector<TemplateArgument> arguments = templateArguments(info.name);
  if (!llvm::StringRef(info.qualifiedName).starts_with("::std::array<") || arguments.size() != 2)
    return std::nullopt;
  return ArrayElement{arguments[0].spelling, arguments[1].spelling};
}

std::string HostForms::spelling(llvm::StringRef type) const {
  if (auto buffer = asBuffer(type))
    return "::khal::Slice<" + readable(buffer->elementType) + ">";
  if (isSharedSpan(type))
    return "::khal::Shared";
  const StructInfo *info = find(type);
  if (!info || !holdsBuffers(*info))
    return readable(type.str());
  if (auto element = asStandardArray(*info))
    return "::std::array<" + spelling(element->spelling) + ", " + element->count + ">";
  return (info->origin == StructInfo::Origin::Generated ? "" : "::" + hostNamespace) +
         info->qualifiedName;
}

/// The extents of "[4][2]": {4, 2}.
static llvm::SmallVector<uint64_t> extentsOf(llvm::StringRef text) {
  llvm::SmallVector<uint64_t> extents;
  while (text.consume_front("[")) {
    uint64_t extent = 0;
    text.consumeInteger(10, extent);
    text.consume_front("]");
    extents.push_back(extent);
  }
  return extents;
}

/// The subscripts of element number `index` of an array: "[1][0]" is number 2 of a [4][2].
static std::string subscripts(llvm::ArrayRef<uint64_t> extents, uint64_t index) {
  std::string text;
  for (uint64_t extent : llvm::reverse(extents)) {
    text = "[" + std::to_string(index % extent) + "]" + text;
    index /= extent;
  }
  return text;
}

HostForms::Place HostForms::placeAt(const StructInfo &info, uint64_t offset) const {
  const StructInfo::Member *member = nullptr;
  for (const StructInfo::Member &candidate : info.members)
    if (candidate.offset <= offset)
      member = &candidate;
  if (!member)
    return {};
  const uint64_t within = offset - member->offset;
  const auto extents = extentsOf(member->arrayExtents);
  const std::string name = asStandardArray(info) ? "" : "." + member->name;

  // Buffers take another amount of memory on the host, so elements that are or hold one are found
  // by their number; everything else has the same bytes on both sides.
  if (auto buffer = asBuffer(member->typeSpelling))
    return {name + subscripts(extents, within / buffer->size), buffer->isReference};
  if (isSharedSpan(member->typeSpelling))
    return {name + subscripts(extents, within / spanBytes), false};
  const StructInfo *inner = find(member->typeSpelling);
  if (inner && holdsBuffers(*inner)) {
    Place place = placeAt(*inner, within % inner->size);
    place.path = name + subscripts(extents, within / inner->size) + place.path;
    return place;
  }
  return {name, false};
}

} // namespace khalc::bindings
