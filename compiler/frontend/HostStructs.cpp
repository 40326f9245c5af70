//===- HostStructs.cpp - the members of structs that the host must know -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/HostTypes.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace khalc {

/// std::array, which the host has over buffers as well.
static bool isStandardArray(const CXXRecordDecl &record) {
  return record.isInStdNamespace() && record.getName() == "array";
}

bool HostTypes::learn(const CXXRecordDecl &record, StructInfo &info, const TypeUse &use) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  info.size = layout.getSize().getQuantity();
  info.alignment = layout.getAlignment().getQuantity();
  info.isUnion = record.isUnion();

  // Members that another struct is being built from meanwhile are put aside.
  std::vector<Extent> outer;
  std::swap(outer, extents);
  const bool isSystem = context.getSourceManager().isInSystemHeader(record.getLocation());
  const QualType type = context.getCanonicalTagType(&record);
  info.holdsPointers = holdsPointers(type, context);
  const bool isBuffers = info.holdsPointers && !spanElement(type) && !sharedSpanElement(type);
  if (isBuffers && isSystem && !isStandardArray(record)) {
    report(diag::Id::parameter_type, use, {type.getAsString(context.getPrintingPolicy())});
    return false;
  }
  // What holds buffers has another struct on the host, which needs all of the members.
  const bool isOwn =
      info.origin == StructInfo::Origin::KernelFile || info.origin == StructInfo::Origin::Generated;
  const bool all = isOwn || isBuffers;
  const bool showsMembers = all || (record.isStandardLayout() && !isSystem);
  bool done = !showsMembers || addMembers(info, record, 0, all, use);
  if (done && isOwn)
    done = addPadding(info, record, use);
  std::swap(outer, extents);
  if (done)
    structs.push_back(std::move(info));
  return done;
}

/// Members of bases come first, as in memory; the host's struct has them as its own.
/// With `all`, the host declares the struct; else it has it from a header and can't see all of it.
bool HostTypes::addMembers(StructInfo &info, const CXXRecordDecl &record, uint64_t offset, bool all,
                           const TypeUse &use) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  const std::string typeName = info.qualifiedName;
  for (const CXXBaseSpecifier &base : record.bases()) {
    const CXXRecordDecl *baseRecord = base.getType()->getAsCXXRecordDecl();
    if (base.isVirtual() || !baseRecord) {
      report(diag::Id::parameter_virtual, use, {typeName});
      return false;
    }
    const uint64_t at = offset + layout.getBaseClassOffset(baseRecord).getQuantity();
    if (!baseRecord->isEmpty() && !addMembers(info, *baseRecord->getDefinition(), at, all, use))
      return false;
  }
  for (const FieldDecl *field : record.fields()) {
    const std::string name = memberName(record, *field);
    if (!all && (field->getAccess() != AS_public || name.empty() || field->isBitField()))
      continue;
    if (name.empty() && !field->isBitField()) {
      report(diag::Id::parameter_unnamed_type, use);
      return false;
    }
    const std::optional<std::string> element =
        spell(context.getBaseElementType(field->getType()), use);
    if (!element)
      return false;
    StructInfo::Member member;
    member.name = name;
    member.typeSpelling = *element;
    member.arrayExtents = extentsOf(field->getType());
    const uint64_t firstBit = context.toBits(CharUnits::fromQuantity(offset)) +
                              layout.getFieldOffset(field->getFieldIndex());
    member.offset = context.toCharUnitsFromBits(firstBit).getQuantity();
    if (field->isBitField())
      member.bits = field->getBitWidthValue();
    const TypeInfoChars size = context.getTypeInfoInChars(
        field->getType()->isReferenceType()
            ? context.getPointerType(field->getType().getNonReferenceType())
            : field->getType());
    addMember(info, std::move(member),
              {uint64_t(size.Width.getQuantity()), uint64_t(size.Align.getQuantity()), firstBit,
               record.getNameAsString()});
  }
  return true;
}

/// A member that hides one of a base leaves it its class's name: both are the host's struct's own.
void HostTypes::addMember(StructInfo &info, StructInfo::Member member, Extent extent) {
  for (size_t i = 0; i < info.members.size(); ++i)
    if (!member.name.empty() && info.members[i].name == member.name)
      info.members[i].name = extents[i].owner + "_" + member.name;
  info.members.push_back(std::move(member));
  extents.push_back(std::move(extent));
}

/// The bit at which the C++ ABI puts a bit-field behind what ends at bit `end`: its type's storage
/// isn't left (Itanium C++ ABI, 2.4).
static uint64_t naturalBit(uint64_t end, uint64_t width, uint64_t typeBits, uint64_t alignBits) {
  return width == 0 || end % alignBits + width > typeBits ? llvm::alignTo(end, alignBits) : end;
}

/// A plain struct of the members must have the same layout: gaps that a base's end or an aligned
/// member left become members.
bool HostTypes::addPadding(StructInfo &info, const CXXRecordDecl &record, const TypeUse &use) {
  uint64_t natural = 1;
  for (size_t i = 0; i < extents.size(); ++i)
    if (!info.members[i].name.empty()) // unnamed bit-fields align nothing
      natural = std::max(natural, extents[i].alignment);
  info.overAligned = info.alignment > natural;
  if (info.isUnion)
    return true;
  const auto refuse = [&] {
    report(diag::Id::parameter_layout, use, {info.qualifiedName});
    return false;
  };
  if (info.alignment < natural || record.hasAttr<PackedAttr>())
    return refuse();

  std::vector<StructInfo::Member> members;
  constexpr uint64_t byteBits = 8;
  uint64_t end = 0, endBit = 0;
  unsigned paddings = 0;
  const auto pad = [&](uint64_t until) {
    StructInfo::Member padding;
    padding.name = "khal_padding_" + std::to_string(paddings++);
    padding.typeSpelling = "std::uint8_t";
    padding.arrayExtents = "[" + std::to_string(until - end) + "]";
    padding.offset = end;
    members.push_back(std::move(padding));
    end = until;
  };
  for (size_t i = 0; i < info.members.size(); ++i) {
    const StructInfo::Member &member = info.members[i];
    if (member.bits) {
      const uint64_t bit = extents[i].bit, width = *member.bits;
      const auto naturalAfter = [&](uint64_t before) {
        return naturalBit(before, width, extents[i].size * byteBits,
                          extents[i].alignment * byteBits);
      };
      if (naturalAfter(endBit) != bit) {
        if (bit < end * byteBits || bit % byteBits != 0 || naturalAfter(bit) != bit)
          return refuse();
        pad(bit / byteBits);
      }
      endBit = bit + width;
      end = llvm::divideCeil(endBit, byteBits);
      members.push_back(member);
      continue;
    }
    if (member.offset < end || member.offset % extents[i].alignment)
      return refuse();
    if (llvm::alignTo(end, extents[i].alignment) < member.offset)
      pad(member.offset);
    end = member.offset + extents[i].size;
    endBit = end * byteBits;
    members.push_back(member);
  }
  if (end > info.size)
    return refuse();
  const uint64_t naturalSize = std::max(llvm::alignTo(end, info.alignment), info.alignment);
  if (naturalSize < info.size)
    pad(info.size);
  info.members = std::move(members);
  return true;
}

} // namespace khalc
